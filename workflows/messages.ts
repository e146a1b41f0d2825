import { defineQuery, defineUpdate } from '@temporalio/workflow'
import type { PlanResult } from '../activities/activity-types.ts'
import type { FatalCause, LostKeyFacts } from '../activities/run-report.ts'
import type { RunPace } from './run-pace.ts'
import type { RunKind } from './run-kind.ts'

/** Task queues of a run: fetch is polled by every process of the warehouse, load by the one that holds the store. */
export interface RunQueues {
  fetch: string
  load: string
}

export interface ExportInput {
  runId: string
  /** Hash of what was ordered; the order itself lies in the warehouse's state folder. */
  orderId: string
  queues: RunQueues
  kind: RunKind
  /** Readers are shown what is loaded in this rhythm; absent = at the end only. */
  publishEveryMs?: number
  /** The schedule whose window it is, and the window's time; absent = begun by hand. */
  schedule?: string
  windowMs?: number
  /** Batches after which the run continues as new; absent = as many as a history bears. */
  batchesPerHistory?: number
  /** Where the run stood when its history was full; absent = it begins. */
  goesOn?: RunStand
}

/** The state that a run takes along when it continues as new; its slices stand in the ledger. */
export interface RunStand {
  startedAtMs: number
  paused: boolean
  plan: PlanResult
  done: RunTotals
  pace: RunPace
  lostKeys: LostKeyFacts[]
}

/** The work of a run since it began. */
export interface RunTotals {
  slicesLoaded: number
  slicesFailed: number
  rows: number
  calls: number
  /** Pages that came, from the source or from the stage; and bytes of answers of the source. */
  pages: number
  bytes: number
  /** Answers that said wait (429). */
  throttled: number
}

export type RunPhase = 'choosing' | 'planning' | 'fetching' | 'publishing' | 'done'

export interface RunProgress extends RunTotals {
  runId: string
  orderId: string
  phase: RunPhase
  paused: boolean
  cancelled: boolean
  slicesPlanned: number
  /** Pages that the plan will take, at the most where a listing was never read. */
  pagesPlanned: number
  /** The work of the stretch that the pace is measured over. */
  pace: RunPace
  /** Epoch ms until which the source told us to wait; 0 = not waiting. */
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

/** The state that the parts of a running workflow share. */
export interface LiveRun {
  paused: boolean
  cancelled: boolean
  /** The fault that ends the run early; null = none. */
  fatal: FatalCause | null
  done: RunTotals
  /** Epoch ms until which every key was told to wait. */
  waitUntilMs: number
  lostKeys: Map<string, LostKeyFacts>
}

/** Workflow id of a warehouse's export: one run at a time. */
export function exportWorkflowId(warehouseId: string): string {
  return `export/${warehouseId}`
}

export const progressQuery = defineQuery<RunProgress>('progress')
export const pauseUpdate = defineUpdate<RunProgress>('pause')
export const resumeUpdate = defineUpdate<RunProgress>('resume')
export const cancelUpdate = defineUpdate<RunProgress>('cancel')
