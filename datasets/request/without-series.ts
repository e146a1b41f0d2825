import type { Dataset } from '../dataset.ts'

/** The fields of a dataset without times of its own, which shows the moment of its request, in no currency. */
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
