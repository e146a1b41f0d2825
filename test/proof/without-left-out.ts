import { datasetOf, type PlacedBody } from './asked-names.ts'

type JsonObject = Record<string, unknown>
type Item = { id: string }
type Points = [number, number | null][]

/** Listings whose order is the caller's choice; the order they were recorded in stands in `ordinal`. */
const SORTED_AS_ASKED: ReadonlySet<string> = new Set(['coins/markets', 'derivatives/exchanges'])

/** A line of `leftOut`: JSON paths, and perhaps when or what of them. */
const LINE = /^(?<paths>\$[^ ,]*(?:, \$[^ ,]*)*)(?: \((?<what>.*)\))?$/

/**
 * A body without the paths that its dataset leaves out, so that a recorded and a served one can be equal; null = nothing
 * remains. Order and case follow rules of this file:
 *
 * - points by time; the arrays of a chart in the order of the first;
 * - items of listings sorted by request: by id;
 * - EVM addresses as keys: in lower case.
 */
export function withoutLeftOut(placed: PlacedBody, body: unknown): unknown {
  if (body === null) return null
  let rest: unknown = SORTED_AS_ASKED.has(placed.operation) ? byId(body as Item[]) : body
  for (const { path } of datasetOf(placed).leftOut) {
    const { paths = '', what = '' } = LINE.exec(path)?.groups ?? {}
    switch (what) {
      case '':
        if (paths !== '') rest = withoutKeys(rest, paths)
        // A list that a filter chooses is not asked for here.
        else if (!path.includes(' with filter=')) throw new Error(`cannot read leftOut ${path}`)
        break
      case 'of a day without data':
        if ((rest as JsonObject)['market_data'] === undefined) rest = withoutKeys(rest, paths)
        break
      case 'of a listing without tickers':
        if ((rest as { tickers: unknown[] }).tickers.length === 0) rest = withoutKeys(rest, paths)
        break
      case 'close in the future':
        // The clock of a run stands behind the last candle.
        break
      case 'order':
        rest = Array.isArray(rest) ? byTime(rest as Points) : asPrices(rest as JsonObject)
        break
      case 'case of 0x-addresses':
        rest = Object.fromEntries(
          Object.entries(rest as JsonObject).map(([key, value]) => [inLowerCase(key), value]),
        )
        break
      default:
        throw new Error(`cannot read leftOut ${path}`)
    }
  }
  return isNothing(rest) && !isNothing(body) ? null : rest
}

function byId(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function withoutKeys(body: unknown, paths: string): unknown {
  if (typeof body !== 'object' || body === null) return body
  const keys = paths.split(', ').map((path) => path.slice('$.'.length))
  return Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)))
}

function byTime<P extends [number, ...unknown[]]>(points: readonly P[]): P[] {
  return points.toSorted(([a], [b]) => a - b)
}

/** A chart may lack an array. */
function asPrices(chart: JsonObject): JsonObject {
  const place = new Map((chart['prices'] as Points).map(([ms], index) => [ms, index]))
  const ordered = Object.entries(chart).map(([key, points]): [string, unknown] => [
    key,
    key === 'prices'
      ? points
      : (points as Points).toSorted(([a], [b]) => (place.get(a) ?? a) - (place.get(b) ?? b)),
  ])
  return Object.fromEntries(ordered)
}

function inLowerCase(key: string): string {
  return /^0x[0-9a-f]{40}$/i.test(key) ? key.toLowerCase() : key
}

function isNothing(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.keys(body).length === 0
}
