import { condition, setHandler, upsertMemo } from '@temporalio/workflow'
import type { PlanResult } from '../activities/activity-types.ts'
import type { FatalCause, LostKeyFacts } from '../activities/run-report.ts'
import { cancelUpdate, noTotals, pauseUpdate, PROGRESS_MEMO, resumeUpdate } from './messages.ts'
import type { CarriedRun, ExportInput, RunPhase, RunProgress, RunTotals } from './messages.ts'
import { beginPace, type RunPace } from './run-pace.ts'

/** A run as the parts of its workflow see and change it. */
export interface LiveRun {
  runId: string
  orderId: string
  startedAtMs: number
  phase: RunPhase
  plan: PlanResult
  done: RunTotals
  pace: RunPace
  paused: boolean
  cancelled: boolean
  /** The fault that ends the run. */
  fatal: FatalCause | null
  /** No batch is dealt until then, epoch ms; 0 = no wait. */
  waitUntilMs: number
  /** By key id. */
  lostKeys: Map<string, LostKeyFacts>
  mayUseReserve: boolean
}

/** A new run, or one that goes on in a new history. */
export function liveRun({ runId, orderId, goesOn }: ExportInput, mayUseReserve: boolean): LiveRun {
  const startedAtMs = goesOn?.startedAtMs ?? Date.now()
  return {
    runId,
    orderId,
    startedAtMs,
    phase: goesOn === undefined ? 'planning' : 'fetching',
    plan: goesOn?.plan ?? { slices: 0, pages: 0 },
    done: { ...(goesOn?.done ?? noTotals) },
    pace: goesOn?.pace ?? beginPace({ atMs: startedAtMs, pages: 0, calls: 0 }),
    paused: goesOn?.paused ?? false,
    cancelled: goesOn?.cancelled ?? false,
    fatal: null,
    waitUntilMs: 0,
    lostKeys: new Map(goesOn?.lostKeys.map((key) => [key.keyId, key])),
    mayUseReserve,
  }
}

/** The part of a run that goes into a new history. */
export function carriedRun(run: LiveRun): CarriedRun {
  const { startedAtMs, paused, cancelled, plan, done, pace } = run
  return { startedAtMs, paused, cancelled, plan, done, pace, lostKeys: [...run.lostKeys.values()] }
}

export function isStopping({ cancelled, fatal }: LiveRun): boolean {
  return cancelled || fatal !== null
}

/** Measures the pace from now on. */
export function beginStretch(run: LiveRun): void {
  run.pace = beginPace({ atMs: Date.now(), ...run.done })
}

/** Shows the progress of the run, and obeys pause, resume and cancel, until the workflow ends. */
export function steerRun(run: LiveRun, cancelRequested: Promise<never>): void {
  void keepInMemo(run)
  setHandler(pauseUpdate, () => {
    run.paused = true
    return progressOf(run)
  })
  setHandler(resumeUpdate, () => {
    run.paused = false
    beginStretch(run)
    return progressOf(run)
  })
  setHandler(cancelUpdate, () => {
    run.cancelled = true
    return progressOf(run)
  })
  cancelRequested.catch(() => {
    run.cancelled = true
  })
}

function progressOf(run: LiveRun): RunProgress {
  const { runId, orderId, phase, paused, cancelled, plan, pace, startedAtMs, done } = run
  return {
    runId,
    orderId,
    phase,
    paused,
    cancelled,
    slicesPlanned: plan.slices,
    pagesPlanned: plan.pages,
    pace,
    startedAtMs,
    throttledUntilMs: run.waitUntilMs,
    ...done,
  }
}

/** The server shows a memo without a worker. */
async function keepInMemo(run: LiveRun): Promise<never> {
  for (;;) {
    const shown = progressOf(run)
    const text = JSON.stringify(shown)
    upsertMemo({ [PROGRESS_MEMO]: shown })
    await condition(() => JSON.stringify(progressOf(run)) !== text)
  }
}
