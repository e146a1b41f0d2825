import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import type { LaneNews, RunPace } from './run-pace.ts'
import type { RunKind } from './run-kind.ts'

/** Task queues of a run; fetch is one per API key, capped, load has one slot per warehouse. */
export interface RunQueues {
  fetch: readonly { keyId: string; queue: string }[]
  load: string
  control: string
}

export interface ExportInput {
  runId: string
  /** Hash of what was ordered; the order itself lies in the warehouse's state folder. */
  orderId: string
  stageDir: string
  queues: RunQueues
  /** At most. */
  lanes: number
  /** Pages in flight in each of so many lanes; fewer lanes have as many in all. */
  inFlight: number
  /** A further lane begins with so many slices more; absent = 1. */
  slicesPerLane?: number
  kind: RunKind
  /** Readers are shown what is loaded in this rhythm; absent = at the end only. */
  publishEveryMs?: number
  /** The schedule whose window it is, and the window's time; absent = begun by hand. */
  schedule?: string
  windowMs?: number
}

/** History grows by about 5 events a page: well under the 4,096 at which the server asks for a new run. */
export const SLICES_PER_HISTORY = 700

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
  /** Keys that were lost before this lane, or this stretch of it, began. */
  lostKeys: LostKey[]
  /** Slices after which the lane continues as new; absent = as many as a history bears. */
  slicesPerHistory?: number
}

/** What a lane has done since the run began. */
export interface LaneTotals {
  slicesLoaded: number
  slicesFailed: number
  rows: number
  calls: number
  /** Pages that came, from the source or from the stage; and bytes of answers of the source. */
  pages: number
  bytes: number
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
  /** When the same can be asked again with success, epoch ms; absent = nobody knows. */
  untilMs?: number
}

/** A key that takes no more calls of a run, and why. */
export interface LostKey extends Fatal {
  /** Names the key without telling it. */
  keyId: string
}

export interface LaneResult extends LaneTotals {
  fatal: Fatal | null
  lostKeys: LostKey[]
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
  /** Pages that the plan will take, at the most where a listing was never read. */
  pagesPlanned: number
  /** What the lanes did in the stretch that the pace is measured over. */
  pace: RunPace
  /** Epoch ms until which the source told us to wait; 0 = not waiting. */
  throttledUntilMs: number
  startedAtMs: number
}

export interface LaneReport extends LaneTotals, LaneNews {
  throttledUntilMs: number
}

export const noTotals: LaneTotals = {
  slicesLoaded: 0,
  slicesFailed: 0,
  rows: 0,
  calls: 0,
  pages: 0,
  bytes: 0,
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
