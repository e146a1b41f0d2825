import type { Dataset } from '../dataset.ts'

/** The fields of a dataset without series and currency. Its answers show the moment of the request. */
export const WITHOUT_SERIES = {
  perCurrency: false,
  granularities: [],
  maxSliceMs: () => Infinity,
  reachMs: () => null,
  settleMs: () => 0,
  lateMs: () => 0,
  cacheMs: () => 0,
  leftOut: [],
} satisfies Partial<Dataset>
