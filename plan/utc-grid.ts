import { DAY_MS, GRANULARITY_MS } from '../api/granularity.ts'
import type { Dataset, Granularity } from '../datasets/dataset.ts'

/** The last point of the grid of `stepMs` (counted from the epoch, in UTC) at or before `ms`. */
export function floorToStep(ms: number, stepMs: number): number {
  return Math.floor(ms / stepMs) * stepMs
}

/** The first point of the grid of `stepMs` (counted from the epoch, in UTC) at or after `ms`. */
export function ceilToStep(ms: number, stepMs: number): number {
  return Math.ceil(ms / stepMs) * stepMs
}

/** Distance of a dataset's points in ms, on whose grid its slices end: its granularity, else a day. */
export function gridStepMs(dataset: Dataset, granularity: Granularity | ''): number {
  return granularity === '' || dataset.kind === 'dated' ? DAY_MS : GRANULARITY_MS[granularity]
}
