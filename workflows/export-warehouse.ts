import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setHandler,
  upsertMemo,
} from '@temporalio/workflow'
import type { NextSlicesResult, PlanResult } from '../activities/activity-types.ts'
import type { RunReport } from '../activities/run-report.ts'
import { failureOf, fetchActivities, storeActivities, SINK_EXIT } from './activity-proxies.ts'
import { chooseUniverse } from './choose-universe.ts'
import { dealBatches } from './deal-batches.ts'
import { publishInRhythm } from './publish-in-rhythm.ts'
import { cancelUpdate, noTotals, pauseUpdate, PROGRESS_MEMO, resumeUpdate } from './messages.ts'
import type { ExportInput, LiveRun, RunPhase, RunProgress } from './messages.ts'
import { beginPace, notePace } from './run-pace.ts'
import { RANKS } from './run-kind.ts'

/**
 * One run of an export: chooses coins, plans into the ledger, deals and loads the slices, verifies, publishes, reports.
 * `backfill`, `sync` and the filling of gaps are this workflow with other bounds. A cancelled run ends in order and keeps
 * its loaded slices.
 */
export async function exportWarehouse(input: ExportInput): Promise<RunReport> {
  const { cancelRequested } = CancellationScope.current()
  return CancellationScope.nonCancellable(() => runExport(input, cancelRequested))
}

async function runExport(input: ExportInput, cancelRequested: Promise<never>): Promise<RunReport> {
  const { runId, orderId, goesOn } = input
  const store = storeActivities(input.queues)
  const rank = RANKS[input.kind]
  const fetching = fetchActivities(input.queues, rank)
  const startedAtMs = goesOn?.startedAtMs ?? Date.now()
  const run: LiveRun = {
    paused: goesOn?.paused ?? false,
    cancelled: goesOn?.cancelled ?? false,
    fatal: null,
    done: { ...(goesOn?.done ?? noTotals) },
    waitUntilMs: 0,
    lostKeys: new Map(goesOn?.lostKeys.map((key) => [key.keyId, key])),
    mayUseReserve: rank.mayUseReserve,
  }
  let phase: RunPhase = goesOn === undefined ? 'planning' : 'fetching'
  let plan: PlanResult = goesOn?.plan ?? { slices: 0, pages: 0 }
  let first: NextSlicesResult | undefined
  let pace = goesOn?.pace ?? beginPace({ atMs: startedAtMs, pages: 0, calls: 0 })
  const beginStretch = (): void => {
    pace = beginPace({ atMs: Date.now(), ...run.done })
  }

  const progress = (): RunProgress => ({
    runId,
    orderId,
    phase,
    paused: run.paused,
    cancelled: run.cancelled,
    slicesPlanned: plan.slices,
    pagesPlanned: plan.pages,
    pace,
    startedAtMs,
    throttledUntilMs: run.waitUntilMs,
    ...run.done,
  })
  void keepInMemo(progress)
  setHandler(pauseUpdate, () => {
    run.paused = true
    return progress()
  })
  setHandler(resumeUpdate, () => {
    run.paused = false
    beginStretch()
    return progress()
  })
  setHandler(cancelUpdate, () => {
    run.cancelled = true
    return progress()
  })
  cancelRequested.catch(() => {
    run.cancelled = true
  })

  /** Chooses the coins of all selectors. @returns false when the run was stopped */
  async function chooseAll(selectors: readonly string[]): Promise<boolean> {
    try {
      for (const selector of selectors) {
        if (!(await chooseUniverse(fetching, run, { runId, selector }))) return false
        await store.freezeUniverse({ selector })
      }
    } catch (error) {
      run.fatal ??= failureOf(error)
    }
    return run.fatal === null && !run.cancelled
  }

  if (goesOn === undefined) {
    const { schedule, windowMs } = input
    const window = schedule === undefined || windowMs === undefined ? {} : { schedule, windowMs }
    const planRun = () => store.planRun({ runId, orderId, ...window })
    let planned = await planRun()
    if (planned.plan === null) {
      phase = 'choosing'
      if (await chooseAll(planned.universes)) {
        phase = 'planning'
        planned = await planRun()
      }
    }
    plan = planned.plan ?? plan
    first = planned.first
    beginStretch()
  }

  if (plan.slices > 0 && run.fatal === null && !run.cancelled) {
    phase = 'fetching'
    let isOver = false
    const { publishEveryMs: everyMs, batchesPerHistory } = input
    const loadedCount = (): number => run.done.slicesLoaded
    const publishing =
      everyMs === undefined
        ? Promise.resolve()
        : publishInRhythm(store, { runId, everyMs, loadedCount, isOver: () => isOver })
    const onBatchDone = (): void => {
      pace = notePace(pace, { atMs: Date.now(), ...run.done })
    }
    const isDealt = await dealBatches(run, {
      runId,
      first,
      fetching,
      store,
      batchesPerHistory,
      onBatchDone,
    })
    isOver = true
    await publishing
    if (!isDealt) {
      await condition(allHandlersFinished)
      const { paused, cancelled, done } = run
      const lostKeys = [...run.lostKeys.values()]
      const carried = { startedAtMs, paused, cancelled, plan, done, pace, lostKeys }
      await continueAsNew<typeof exportWarehouse>({ ...input, goesOn: carried })
    }
  }

  phase = 'publishing'
  const { cancelled, fatal } = run
  const ended = { runId, orderId, startedAtMs, lostKeys: [...run.lostKeys.values()] }
  // Nothing is published after a fault of the store, nor after a fault before the first load.
  const hasNothingNew = fatal !== null && run.done.slicesLoaded === 0
  const mayPublish = fatal?.exitCode !== SINK_EXIT && !hasNothingNew
  const report = await store
    .endRun({ ...ended, cancelled, fatal, mayPublish })
    .catch((error: unknown) =>
      store.reportRun({
        ...ended,
        verdict: 'failed',
        fatal: failureOf(error),
        publications: [],
      }),
    )
  await condition(allHandlersFinished)
  return report
}

/** The server shows a memo without a worker. Goes on until the run ends. */
async function keepInMemo(progress: () => RunProgress): Promise<never> {
  for (;;) {
    const told = progress()
    const text = JSON.stringify(told)
    upsertMemo({ [PROGRESS_MEMO]: told })
    await condition(() => JSON.stringify(progress()) !== text)
  }
}
