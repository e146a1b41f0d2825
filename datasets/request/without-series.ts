import type { Dataset } from '../dataset.ts'

/** What a dataset says of time that has none of its own: a listing is as it is when it is asked for. */
export const WITHOUT_SERIES = {
  granularities: [],
  maxSliceMs: () => Infinity,
  reachMs: () => null,
  settleMs: () => 0,
  lateMs: () => 0,
  cacheMs: () => 0,
  leftOut: [],
} satisfies Partial<Dataset>
