import type { UnreachableHistory } from '../plan/unreachable-history.ts'
import type { AbsentEntity, DatasetTotals, FailedSlice } from '../sinks/store-records.ts'
import type { PublishReport } from '../sinks/publication.ts'

export type Verdict = 'complete' | 'partial' | 'failed' | 'cancelled'

/** The report of a run. Printed by `backfill --json`, and kept in the warehouse's state folder. */
export interface RunReport {
  runId: string
  orderId: string
  verdict: Verdict
  startedAt: string
  finishedAt: string
  calls: number
  /** Calls that chose the coins of selectors, counted in `calls`; absent = none. */
  choiceCalls?: number
  rows: number
  slices: Pick<
    ReportedTotals,
    'planned' | 'loaded' | 'provisional' | 'empty' | 'failed' | 'missing' | 'gone'
  >
  datasets: ReportedTotals[]
  /** At most 20, with long texts cut. `slices.failed` counts all. */
  failures: FailedSlice[]
  /** History that no later run can get. The verdict does not count it. */
  unreachable: UnreachableHistory
  publications: PublishReport[]
  fatal: FatalCause | null
  /** Keys that dropped out while others went on; absent = none. */
  lostKeys?: LostKeyFacts[]
  /** Slices that wait for the next month of the key; absent = none. */
  waiting?: WaitingSlices
  /** Wanted slices that other open runs were about to fetch, so that this run did not plan them; absent = none. */
  leftToOthers?: number
  /** Ids of the order that the source does not list; absent = none. */
  absent?: AbsentEntities
  /** Selectors that found fewer coins than they want; absent = none. */
  shortChoices?: ShortChoice[]
  coinlakeVersion: string
}

/** Totals of a dataset. `gone`: slices of absent ids that an earlier run reported; not in `failed`. */
export interface ReportedTotals extends DatasetTotals {
  gone?: number
}

/** Ids that the source does not list. The first report counts them as a gap, later ones as known. */
export interface AbsentEntities {
  count: number
  /** Ids with rows that no earlier run has reported. They make the run partial. */
  newCount: number
  /** Their rows in quarantine, by dataset. */
  rows: Record<string, number>
  /** At most 20, new ones first, with long ids cut. */
  entities: AbsentEntity[]
}

/** `top:500` when the source listed only 300 coins. */
export interface ShortChoice {
  selector: string
  wanted: number
  chosen: number
}

/** Slices that stay planned because the key's month is used up. */
export interface WaitingSlices {
  /** Start of the next month. The same command then goes on. */
  untilAt: string
  slices: number
  /** By dataset, with its first slice: `bitcoin usd 1d [2024-01-01, 2024-04-01)`. */
  datasets: { dataset: string; slices: number; first: string }[]
}

/** A key that was refused or is used up for the month. */
export interface LostKeyFacts extends FatalCause {
  /** A name of the key that does not reveal it. */
  keyId: string
}

/** The fault that stopped a run: a refused key (exit 4), a used-up month (3), a broken sink (5). */
export interface FatalCause {
  code: string
  reason: string
  /** The next step for the reader. */
  hint: string
  exitCode: number
  /** The same request can succeed from this time on, epoch ms; absent = unknown. */
  untilMs?: number
}
