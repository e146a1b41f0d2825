import { DAY_MS } from '../../config/values/duration.ts'
import { faultKind, faultsOf, type SpoilContext } from './fault-kind.ts'
import { choiceOption, numberOption, shareOption } from './fault-options.ts'
import {
  changeLists,
  changeSeries,
  changeSome,
  chosenPlaces,
  jsonOf,
  type Point,
} from './json-lists.ts'
import { htmlPage, refused } from './bad-answers.ts'

const REVISION_FACTOR = 1.01

export const bodyFaults = faultsOf('body', {
  /** The length of the HTTP answer is right; only the JSON has no end. */
  truncated_json: faultKind({
    about: 'a whole answer whose JSON ends too early',
    spoil({ bytes, draw }) {
      // At least the first byte, at most all but the last.
      const length = 1 + Math.floor(draw('length') * (bytes.byteLength - 1))
      return bytes.byteLength < 2 ? null : { bytes: bytes.subarray(0, length) }
    },
  }),
  /** Edges and captive portals send web pages with a good status. */
  html: faultKind({
    about: 'status 200 with a web page',
    spoil: () => htmlPage('Just a moment...'),
  }),
  /** The body is right. A client must accept it. */
  wrong_content_type: faultKind({
    about: 'the good JSON under text/html',
    spoil: () => ({ headers: { 'content-type': 'text/html; charset=utf-8' } }),
  }),
  /** Some services silently give smaller pages than requested. */
  clamped_pages: faultKind({
    about: 'pages of at most `most` items, whatever `per_page` asks for',
    shape: { most: numberOption('items of a page', { min: 1, max: 250, fallback: 50 }) },
    async spoil({ params, again }, { most }) {
      // A provider whose tickers take no per_page gives them whole.
      const isClamped = Number(params['per_page']) > most
      const bytes = isClamped ? await again({ per_page: String(most) }) : null
      return bytes === null ? null : { bytes }
    },
  }),
  /** Some services clamp `page` beyond the end: page 2 comes again as page 3. */
  repeated_pages: faultKind({
    about: 'a later page repeats the page before it',
    async spoil(context) {
      const bytes = await pageBefore(context)
      return bytes === null ? null : { bytes }
    },
  }),
  /** A listing got a new first row between two pages, so every row moved down by one. */
  rows_move: faultKind({
    about: 'a later page begins with the last row of the page before it and lacks its own last row',
    async spoil(context) {
      const before = await pageBefore(context)
      if (before === null) return null
      const json = jsonOf(before)
      return changeLists(context.bytes, (list, name) => {
        const rows = Array.isArray(json) ? json : (json as Record<string, unknown>)[name]
        return Array.isArray(rows) ? [...rows.slice(-1), ...list.slice(0, -1)] : list
      })
    },
  }),
  duplicates: faultKind({
    about: 'some points or rows come twice',
    shape: { share: shareOption() },
    spoil: ({ bytes, draw }, { share }) =>
      changeLists(bytes, (list) => changeSome(list, share, draw, (one) => [one, one])),
  }),
  /** null in a value, which may be missing, or in a key, which may not. */
  nulls: faultKind({
    about: 'null in some points or rows',
    shape: {
      share: shareOption(),
      where: choiceOption('the values of a point and the numbers of a row, or its time or id', [
        'value',
        'key',
      ]),
    },
    spoil: ({ bytes, draw }, { share, where }) =>
      changeLists(bytes, (list) =>
        changeSome(list, share, draw, (one) => [withNull(one, where === 'key')]),
      ),
  }),
  unequal_arrays: faultKind({
    about: 'some points are missing in `market_caps` of a chart',
    shape: { share: shareOption() },
    spoil: ({ bytes, draw }, { share }) =>
      changeSeries(bytes, (points, name) =>
        name === 'market_caps' ? changeSome(points, share, draw, () => []) : points,
      ),
  }),
  /** A series steps back in time, in all arrays of a chart at the same places. */
  unordered_points: faultKind({
    about: 'some points of a series have changed places with the next one',
    shape: { share: shareOption() },
    spoil: ({ bytes, draw }, { share }) =>
      changeSeries(bytes, (series) => {
        const points = [...series]
        for (const place of chosenPlaces(points.length - 1, share, draw)) {
          ;[points[place], points[place + 1]] = [points[place + 1]!, points[place]!]
        }
        return points
      }),
  }),
  daily_for_hourly: faultKind({
    about: 'a series has only the first point of each day',
    spoil: ({ bytes }) =>
      changeSeries(bytes, (points) => {
        const dayOf = ([ms]: Point): number => Math.floor(ms / DAY_MS)
        return points.filter(
          (point, place) => place === 0 || dayOf(point) !== dayOf(points[place - 1]!),
        )
      }),
  }),
  /** With `after: 1` the first answer has the old history, all later ones the new. */
  revised_history: faultKind({
    about: 'values of some points before the last are 1 % higher',
    shape: { share: shareOption() },
    spoil: ({ bytes, draw }, { share }) =>
      changeSeries(bytes, (points) => [
        ...changeSome(points.slice(0, -1), share, draw, (point) => [revised(point)]),
        ...points.slice(-1),
      ]),
  }),
  late_points: faultKind({
    about: 'a series has no points of the last `late_ms` before now',
    shape: {
      late_ms: numberOption('how far the series is behind', {
        min: 1,
        max: 366 * DAY_MS,
        fallback: 3_600_000,
      }),
    },
    spoil: ({ bytes, nowMs }, options) =>
      changeSeries(bytes, (points) => points.filter(([ms]) => ms <= nowMs - options.late_ms)),
  }),
  vanished_id: faultKind({
    scope: 'entity',
    about: 'the id in the path is not found any more: 404 for good',
    spoil(context) {
      const { subject, params } = context.operation
      const hasId = params.some((param) => param.in === 'path')
      return subject === undefined || !hasId
        ? null
        : refused(context, { kind: 'not_found', subject })
    },
  }),
})

function withNull(one: unknown, isKey: boolean): unknown {
  if (Array.isArray(one)) {
    return one.map((value: unknown, place) => ((place === 0) === isKey ? null : value))
  }
  if (typeof one !== 'object' || one === null) return isKey ? null : one
  const becomesNull = (name: string, value: unknown): boolean =>
    isKey ? name === 'id' : typeof value === 'number'
  return Object.fromEntries(
    Object.entries(one).map(([name, value]: [string, unknown]) => [
      name,
      becomesNull(name, value) ? null : value,
    ]),
  )
}

function revised([ms, ...values]: Point): unknown[] {
  return [
    ms,
    ...values.map((value) => (typeof value === 'number' ? value * REVISION_FACTOR : value)),
  ]
}

/** The body of the page before; null = no such page. */
async function pageBefore({ operation, params, again }: SpoilContext): Promise<Uint8Array | null> {
  const page = Number(params['page'] ?? '1')
  if (operation.paging === undefined || !(page > 1)) return null
  return again({ page: String(page - 1) })
}
