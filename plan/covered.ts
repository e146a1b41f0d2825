import type { Slice } from '../datasets/dataset.ts'

/** An interval of a series that needs no call now: verified, empty at source, or provisional and still fresh. */
export interface Covered extends Slice {
  /** Provisional and to be asked for again, where the source still has it. */
  isDueAgain?: true
}

/** What the ledger knows of an interval; `failed` = asked for and not got. */
export interface KnownInterval extends Slice {
  state: 'verified' | 'empty' | 'provisional' | 'failed'
}

/** Identity of a series: everything of a slice but its bounds. */
export function seriesKey(slice: Omit<Slice, 'fromMs' | 'toMs'>): string {
  return JSON.stringify([slice.dataset, slice.entity, slice.vsCurrency, slice.granularity])
}
