import type { Points } from './chart-points.ts'

export interface JoinedPoints {
  /** Distinct times, in the order of the source. */
  times: Float64Array
  /** For each array the index of each row's point; -1: the array has none. */
  pointIndexes: Int32Array[]
  /** Repetitions of timestamps, counted in the array that repeats each most. The last point of each is kept. */
  duplicates: number
}

/**
 * Joins arrays by timestamp. The source does not promise equal indexes. The rows have an order that fits every array;
 * where two arrays contradict each other, the first decides.
 */
export function joinPoints(series: readonly Points[]): JoinedPoints {
  const [first, ...others] = series as [Points, ...Points[]]
  if (isIncreasing(first.times) && others.every((other) => sameTimes(first.times, other.times))) {
    const identity = new Int32Array(first.count)
    for (let i = 0; i < identity.length; i++) identity[i] = i
    return { times: first.times, pointIndexes: series.map(() => identity), duplicates: 0 }
  }
  const order = mergedOrder(series)
  const repetitions = new Map<number, number>()
  const pointIndexes = series.map((points) => {
    const last = new Map<number, number>()
    const repeated = new Map<number, number>()
    points.times.forEach((ms, index) => {
      if (last.has(ms)) repeated.set(ms, (repeated.get(ms) ?? 0) + 1)
      last.set(ms, index)
    })
    for (const [ms, times] of repeated) {
      repetitions.set(ms, Math.max(times, repetitions.get(ms) ?? 0))
    }
    return Int32Array.from(order, (ms) => last.get(ms) ?? -1)
  })
  const duplicates = [...repetitions.values()].reduce((sum, times) => sum + times, 0)
  return { times: order, pointIndexes, duplicates }
}

function isIncreasing(times: Float64Array): boolean {
  for (let i = 1; i < times.length; i++) if (times[i]! <= times[i - 1]!) return false
  return true
}

function sameTimes(a: Float64Array, b: Float64Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Merges the orders. The next time is the earliest one that is first in every array that has it. */
function mergedOrder(series: readonly Points[]): Float64Array {
  const places = series.map(({ times }) => firstPlaces(times))
  const heads = series.map(() => 0)
  const merged = new Set<number>()
  for (;;) {
    const fronts: number[] = []
    series.forEach(({ times }, k) => {
      while (heads[k]! < times.length && merged.has(times[heads[k]!]!)) heads[k]!++
      if (heads[k]! < times.length) fronts.push(times[heads[k]!]!)
    })
    if (fronts.length === 0) return Float64Array.from(merged)
    const free = fronts.filter((ms) =>
      places.every((place, k) => (place.get(ms) ?? -1) <= heads[k]!),
    )
    merged.add(free.length > 0 ? Math.min(...free) : fronts[0]!)
  }
}

function firstPlaces(times: Float64Array): Map<number, number> {
  const places = new Map<number, number>()
  times.forEach((ms, index) => {
    if (!places.has(ms)) places.set(ms, index)
  })
  return places
}
