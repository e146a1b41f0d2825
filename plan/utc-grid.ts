import { DAY_MS } from '../config/values/duration.ts'
import { GRANULARITY_MS } from '../api/granularity.ts'
import type { Dataset, Granularity, Slice } from '../datasets/dataset.ts'

/** The last multiple of `stepMs` since the epoch at or before `ms`. */
export function floorToStep(ms: number, stepMs: number): number {
  return Math.floor(ms / stepMs) * stepMs
}

/** The first multiple of `stepMs` since the epoch at or after `ms`. */
export function ceilToStep(ms: number, stepMs: number): number {
  return Math.ceil(ms / stepMs) * stepMs
}

/** Step of the grid of a series' slices, in ms: its granularity, else a day. */
export function gridStepMs({ kind }: Dataset, granularity: Slice['granularity']): number {
  const isSeries = kind === 'range' || kind === 'trailing'
  return isSeries && granularity !== '' ? GRANULARITY_MS[granularity as Granularity] : DAY_MS
}
