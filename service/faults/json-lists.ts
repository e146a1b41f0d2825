import { bodyText } from '../body-text.ts'
import type { SpoilContext } from './fault-kind.ts'

/** `name`: the key of the list, such as `prices`; '' = the body itself. */
type ListChange = (list: readonly unknown[], name: string) => readonly unknown[]

export function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'))
}

/** The body with every list of its top level changed; null = nothing changes. */
export function changeLists(bytes: Uint8Array, change: ListChange): { bytes: Uint8Array } | null {
  const json = jsonOf(bytes)
  const changed = Array.isArray(json) ? change(json, '') : changeMembers(json, change)
  if (changed === null) return null
  const text = bodyText(changed)
  return text === bodyText(json) ? null : { bytes: Buffer.from(text) }
}

function changeMembers(json: unknown, change: ListChange): unknown {
  if (typeof json !== 'object' || json === null) return null
  return Object.fromEntries(
    Object.entries(json).map(([name, value]: [string, unknown]) => [
      name,
      Array.isArray(value) ? change(value, name) : value,
    ]),
  )
}

/** `[ms, value, ...]`: a point of a chart or a candle. */
export type Point = readonly [number, ...unknown[]]

/** The body with every chart or list of candles changed; null = nothing changes. */
export function changeSeries(
  bytes: Uint8Array,
  change: (points: readonly Point[], name: string) => readonly unknown[],
): { bytes: Uint8Array } | null {
  return changeLists(bytes, (list, name) => (isSeries(list) ? change(list, name) : list))
}

function isSeries(list: readonly unknown[]): list is readonly Point[] {
  return list.length > 0 && list.every((one) => Array.isArray(one) && typeof one[0] === 'number')
}

/** The list with some of its items replaced by what `change` makes of them. */
export function changeSome<T>(
  list: readonly T[],
  share: number,
  draw: SpoilContext['draw'],
  change: (item: T) => readonly unknown[],
): unknown[] {
  const chosen = chosenPlaces(list.length, share, draw)
  return list.flatMap((item, place) => (chosen.has(place) ? change(item) : [item]))
}

/** The places of a list that a fault changes: each by a draw of its own, at least one. */
export function chosenPlaces(
  length: number,
  share: number,
  draw: SpoilContext['draw'],
): ReadonlySet<number> {
  const chosen = new Set<number>()
  for (let place = 0; place < length; place++) if (draw('place', place) < share) chosen.add(place)
  if (length > 0) chosen.add(Math.floor(draw('one place') * length))
  return chosen
}
