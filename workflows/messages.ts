import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { RunKind } from './run-kind.ts'

/** Task queues of a run; fetch is capped per API key, load has one slot per warehouse. */
export interface RunQueues {
  fetch: string
  load: string
  control: string
}

export interface ExportInput {
  runId: string
  /** Hash of what was ordered; the order itself lies in the warehouse's state folder. */
  orderId: string
  stageDir: string
  queues: RunQueues
  lanes: number
  /** Pages in flight in each lane. */
  inFlight: number
  kind: RunKind
  /**
   * Server cap of the fetch queue; null leaves it uncapped. Absent: the budget of the key sets it,
   * as it does for every run begun since there is one.
   */
  capCallsPerSecond?: number | null
}

export interface LaneInput {
  runId: string
  stageDir: string
  lane: number
  lanes: number
  inFlight: number
  queues: RunQueues
  kind: RunKind
  /** Cursor: the last ordinal that an earlier stretch of this lane took; -1 at the start. */
  after: number
  paused: boolean
  done: LaneTotals
  /** Slices after which the lane continues as new; absent = as many as a history bears. */
  slicesPerHistory?: number
}

/** What a lane has done since the run began. */
export interface LaneTotals {
  slicesLoaded: number
  slicesFailed: number
  rows: number
  calls: number
  /** A slice that asked again after 429. */
  throttled: number
}

/** Why the whole run must stop: a refused key, a full disk. */
export interface Fatal {
  code: string
  reason: string
  /** What to do next. */
  hint: string
  exitCode: number
}

export interface LaneResult extends LaneTotals {
  fatal: Fatal | null
}

export type RunPhase =
  | 'opening'
  | 'choosing'
  | 'planning'
  | 'fetching'
  | 'verifying'
  | 'publishing'
  | 'done'

export interface RunProgress extends LaneTotals {
  runId: string
  orderId: string
  phase: RunPhase
  paused: boolean
  cancelled: boolean
  slicesPlanned: number
  /** Epoch ms until which the source told us to wait; 0 = not waiting. */
  throttledUntilMs: number
  startedAtMs: number
}

export interface LaneReport extends LaneTotals {
  lane: number
  /** The slowest rate that headers have told so far; null while they told none. */
  callsPerSecond: number | null
  throttledUntilMs: number
}

export const noTotals: LaneTotals = {
  slicesLoaded: 0,
  slicesFailed: 0,
  rows: 0,
  calls: 0,
  throttled: 0,
}

/** Workflow id of a warehouse's export: one run at a time. */
export function exportWorkflowId(warehouseId: string): string {
  return `export/${warehouseId}`
}

export const progressQuery = defineQuery<RunProgress>('progress')
export const pauseUpdate = defineUpdate<RunProgress>('pause')
export const resumeUpdate = defineUpdate<RunProgress>('resume')
export const cancelUpdate = defineUpdate<RunProgress>('cancel')
/** Lane -> export. */
export const laneReportSignal = defineSignal<[LaneReport]>('laneReport')
/** Export -> lane. */
export const laneControlSignal =
  defineSignal<[{ paused: boolean; stopping: boolean }]>('laneControl')
