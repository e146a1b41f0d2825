import type { Dataset } from '../dataset.ts'

/** The time fields of a dataset without a series: its answer shows the moment of the request. */
export const WITHOUT_SERIES = {
  granularities: [],
  maxSliceMs: () => Infinity,
  reachMs: () => null,
  settleMs: () => 0,
  lateMs: () => 0,
  cacheMs: () => 0,
  leftOut: [],
} satisfies Partial<Dataset>
