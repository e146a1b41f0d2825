import type { Dataset } from '../dataset.ts'

/** The time fields of a dataset without times of its own: a listing shows the moment of its request. */
export const WITHOUT_SERIES = {
  granularities: [],
  maxSliceMs: () => Infinity,
  reachMs: () => null,
  settleMs: () => 0,
  lateMs: () => 0,
  cacheMs: () => 0,
  leftOut: [],
} satisfies Partial<Dataset>
