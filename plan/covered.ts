import type { Slice } from '../datasets/dataset.ts'

/** An interval of a series that is verified, empty at the source, or provisional. */
export interface Covered extends Slice {
  /** The interval is provisional, and its next request is due. */
  isDueAgain?: true
}

/** The state of an interval in the ledger. `failed`: requested without success. */
export interface KnownInterval extends Slice {
  state: 'verified' | 'empty' | 'provisional' | 'failed'
}

/** A slice without its bounds. */
export type Series = Omit<Slice, 'fromMs' | 'toMs'>

export function seriesKey(slice: Series): string {
  return JSON.stringify([slice.dataset, slice.entity, slice.vsCurrency, slice.granularity])
}
