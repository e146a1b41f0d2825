import type { UnreachableHistory } from '../plan/unreachable-history.ts'
import type { AbsentEntity, DatasetTotals, FailedSlice } from '../sinks/store.ts'
import type { PublishReport } from '../sinks/publication.ts'

export type Verdict = 'complete' | 'partial' | 'failed' | 'cancelled'

/** The run report: printed by `backfill --json` and kept in the warehouse's state folder. */
export interface RunReport {
  runId: string
  orderId: string
  verdict: Verdict
  startedAt: string
  finishedAt: string
  calls: number
  /** Those of the calls that chose the coins of selectors; absent when there were none. */
  choiceCalls?: number
  rows: number
  slices: {
    planned: number
    loaded: number
    provisional: number
    empty: number
    failed: number
    missing: number
    /** Slices of unlisted ids that an earlier run reported; not among the failed. Absent = none. */
    gone?: number
  }
  datasets: ReportedTotals[]
  /** At most 20, with long texts cut; `slices.failed` counts all. */
  failures: FailedSlice[]
  /** History that no later run can get; the verdict does not count it. */
  unreachable: UnreachableHistory
  publications: PublishReport[]
  /** The fault that ended the run early; null = none did. */
  fatal: FatalCause | null
  /** Keys that took no more calls of the run, while others did; absent when there was none. */
  lostKeys?: LostKeyFacts[]
  /** Slices that wait for the next month of the key; absent when none does. */
  waiting?: WaitingSlices
  /** Ids asked for by name that the source does not list; absent when there are none. */
  absent?: AbsentEntities
  /** Selectors that found fewer coins than they ask for; absent when there was none. */
  shortChoices?: ShortChoice[]
  coinlakeVersion: string
}

/** Totals of a dataset. Slices of ids that an earlier run reported as unlisted count as `gone`, not as `failed`. */
export interface ReportedTotals extends DatasetTotals {
  gone?: number
}

/** Ids missing from the answers: a gap in the first report, and a known fact from then on. */
export interface AbsentEntities {
  count: number
  /** Quarantined ids that no earlier run has reported; they make the run partial. */
  newCount: number
  /** Their rows in quarantine, by dataset. */
  rows: Record<string, number>
  /** At most 20, new ones first, with long ids cut. */
  entities: AbsentEntity[]
}

/** `top:500` where the source listed 300 coins when they were chosen. */
export interface ShortChoice {
  selector: string
  wanted: number
  chosen: number
}

/** Slices that stay planned because the key's month is used up. */
export interface WaitingSlices {
  /** Start of the next month, when the same command goes on. */
  untilAt: string
  slices: number
  /** By dataset, and the first of each as `bitcoin usd 1d [2024-01-01, 2024-04-01)`. */
  datasets: { dataset: string; slices: number; first: string }[]
}

/** A key that was refused, or used up for the month. */
export interface LostKeyFacts extends FatalCause {
  /** A name of the key that does not reveal it. */
  keyId: string
}

/** The fault that stopped a run: a refused key (exit 4), a used-up month (3), a sink that cannot be written (5). */
export interface FatalCause {
  code: string
  reason: string
  /** The next step for the reader. */
  hint: string
  exitCode: number
  /** The same request can succeed from this time on, epoch ms; absent = unknown. */
  untilMs?: number
}
