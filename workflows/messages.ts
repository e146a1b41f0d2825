import { defineUpdate } from '@temporalio/workflow'
import type { FetchBatchResult, PlanResult, PlanRunInput } from '../activities/activity-types.ts'
import type { LostKeyFacts } from '../activities/run-report.ts'
import type { RunPace } from './run-pace.ts'
import type { RunKind } from './run-kind.ts'

/** Task queues of a run. All processes of the warehouse poll `fetch`; the process with the open store polls `load`. */
export interface RunQueues {
  fetch: string
  load: string
}

export interface ExportInput extends PlanRunInput {
  queues: RunQueues
  kind: RunKind
  /** Interval of publications during the run; absent = one publication at the end. */
  publishEveryMs?: number
  /** After so many batches the run continues as new; absent = when the history is full. */
  batchesPerHistory?: number
  /** Absent = a new run. */
  goesOn?: CarriedRun
}

/** The state that a run takes along as it continues as new. Its slices are in the ledger. */
export interface CarriedRun {
  startedAtMs: number
  paused: boolean
  cancelled: boolean
  plan: PlanResult
  done: RunTotals
  pace: RunPace
  lostKeys: LostKeyFacts[]
}

/** The work of a run since it began. */
export interface RunTotals extends Pick<
  FetchBatchResult,
  'calls' | 'pages' | 'bytes' | 'throttled'
> {
  slicesLoaded: number
  slicesFailed: number
  rows: number
}

export type RunPhase = 'choosing' | 'planning' | 'fetching' | 'publishing'

export interface RunProgress extends RunTotals {
  runId: string
  orderId: string
  phase: RunPhase
  paused: boolean
  cancelled: boolean
  slicesPlanned: number
  pagesPlanned: number
  pace: RunPace
  /** The source blocks all keys until this time, epoch ms; 0 = not blocked. */
  throttledUntilMs: number
  startedAtMs: number
}

export const noTotals: RunTotals = {
  slicesLoaded: 0,
  slicesFailed: 0,
  rows: 0,
  calls: 0,
  pages: 0,
  bytes: 0,
  throttled: 0,
}

/** Workflow id of a warehouse's runs by hand. One id allows one run at a time. */
export function exportWorkflowId(warehouseId: string): string {
  return `export/${warehouseId}`
}

/**
 * The field of a run's memo that has its progress. Queries are not safe: a query that waits for a worker brings events
 * newer than the last task. The worker handles them at that task's time, unlike any replay.
 */
export const PROGRESS_MEMO = 'progress'
export const pauseUpdate = defineUpdate<RunProgress>('pause')
export const resumeUpdate = defineUpdate<RunProgress>('resume')
export const cancelUpdate = defineUpdate<RunProgress>('cancel')
