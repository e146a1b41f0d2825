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
  /** Of these, calls that chose the coins of selectors; absent when there were none. */
  choiceCalls?: number
  rows: number
  slices: {
    planned: number
    loaded: number
    provisional: number
    empty: number
    failed: number
    missing: number
    /** Of ids that are gone, as an earlier run has told: not among the failed. Absent when there are none. */
    gone?: number
  }
  datasets: ReportedTotals[]
  /** At most 20, with long texts cut; `slices.failed` counts all. */
  failures: FailedSlice[]
  /** Asked for, and no later run could get it: named beside the verdict, which does not count it. */
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

/** Totals of a dataset; slices of ids that are gone, where there are any, stand apart from those that failed. */
export interface ReportedTotals extends DatasetTotals {
  gone?: number
}

/** Ids that are not in the answers, told once as a hole and from then on as a fact. */
export interface AbsentEntities {
  count: number
  /** Of those with rows in quarantine, the ones that no run has told of before: they make the run partial. */
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

/** Slices that were not asked for because the key's month is used up; they stay planned. */
export interface WaitingSlices {
  /** When the month begins anew: the same command goes on then. */
  untilAt: string
  slices: number
  /** By dataset, and the first of each as `bitcoin usd 1d [2024-01-01, 2024-04-01)`. */
  datasets: { dataset: string; slices: number; first: string }[]
}

/** A key that was refused, or used up for the month. */
export interface LostKeyFacts extends FatalCause {
  /** Names the key without telling it. */
  keyId: string
}

/** Why a whole run had to stop: a refused key (exit 4), a month used up (3), a sink that cannot be written (5). */
export interface FatalCause {
  code: string
  reason: string
  /** The next step for the reader. */
  hint: string
  exitCode: number
  /** When the same can be asked again with success, epoch ms; absent = nobody knows. */
  untilMs?: number
}
