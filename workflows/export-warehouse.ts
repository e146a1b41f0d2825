import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
} from '@temporalio/workflow'
import type {
  FetchActivities,
  NextSlicesResult,
  StoreActivities,
} from '../activities/activity-types.ts'
import type { RunReport } from '../activities/run-report.ts'
import { failureOf, fetchActivities, storeActivities, SINK_EXIT } from './activity-proxies.ts'
import { chooseUniverse } from './choose-universe.ts'
import { dealBatches } from './deal-batches.ts'
import {
  beginStretch,
  carriedRun,
  isStopping,
  liveRun,
  steerRun,
  type LiveRun,
} from './live-run.ts'
import type { ExportInput } from './messages.ts'
import { publishInRhythm } from './publish-in-rhythm.ts'
import { notePace } from './run-pace.ts'
import { RANKS } from './run-kind.ts'

/** The activities of a run. */
interface RunActivities {
  store: StoreActivities
  fetching: FetchActivities
}

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
  const rank = RANKS[input.kind]
  const store = storeActivities(input.queues)
  const activities = { store, fetching: fetchActivities(input.queues, rank) }
  const run = liveRun(input, rank.mayUseReserve)
  steerRun(run, cancelRequested)
  const first = input.goesOn === undefined ? await planRun(run, input, activities) : undefined
  if (run.plan.slices > 0 && !isStopping(run)) {
    run.phase = 'fetching'
    if (!(await fetchSlices(run, input, first, activities))) {
      await condition(allHandlersFinished)
      await continueAsNew<typeof exportWarehouse>({ ...input, goesOn: carriedRun(run) })
    }
  }
  run.phase = 'publishing'
  const report = await endRun(run, store)
  await condition(allHandlersFinished)
  return report
}

/** Plans the run, and chooses its coins before when the plan asks for it. @returns the first slices */
async function planRun(
  run: LiveRun,
  { schedule, windowMs }: ExportInput,
  { store, fetching }: RunActivities,
): Promise<NextSlicesResult | undefined> {
  const { runId, orderId } = run
  const window = schedule === undefined || windowMs === undefined ? {} : { schedule, windowMs }
  const plan = () => store.planRun({ runId, orderId, ...window })
  let planned = await plan()
  if (planned.plan === null) {
    run.phase = 'choosing'
    if (await chooseAll(run, planned.universes, { store, fetching })) {
      run.phase = 'planning'
      planned = await plan()
    }
  }
  run.plan = planned.plan ?? run.plan
  beginStretch(run)
  return planned.first
}

/** Chooses the coins of all selectors. @returns false when the run was stopped */
async function chooseAll(
  run: LiveRun,
  selectors: readonly string[],
  { store, fetching }: RunActivities,
): Promise<boolean> {
  try {
    for (const selector of selectors) {
      if (!(await chooseUniverse(fetching, run, selector))) return false
      await store.freezeUniverse({ selector })
    }
  } catch (error) {
    run.fatal ??= failureOf(error)
  }
  return !isStopping(run)
}

/** Fetches and loads the slices, and publishes meanwhile. @returns false when slices are left for a new history */
async function fetchSlices(
  run: LiveRun,
  { publishEveryMs: everyMs, batchesPerHistory }: ExportInput,
  first: NextSlicesResult | undefined,
  { store, fetching }: RunActivities,
): Promise<boolean> {
  const { runId } = run
  let isOver = false
  const loadedCount = (): number => run.done.slicesLoaded
  const publishing =
    everyMs === undefined
      ? Promise.resolve()
      : publishInRhythm(store, { runId, everyMs, loadedCount, isOver: () => isOver })
  const onBatchDone = (): void => {
    run.pace = notePace(run.pace, { atMs: Date.now(), ...run.done })
  }
  const dealing = { first, fetching, store, batchesPerHistory, onBatchDone }
  const isDealt = await dealBatches(run, dealing)
  isOver = true
  await publishing
  return isDealt
}

/** Verifies, publishes and reports. */
function endRun(run: LiveRun, store: StoreActivities): Promise<RunReport> {
  const { runId, orderId, startedAtMs, cancelled, fatal } = run
  const ended = { runId, orderId, startedAtMs, lostKeys: [...run.lostKeys.values()] }
  // Nothing is published after a fault of the store, nor after a fault before the first load.
  const hasNothingNew = fatal !== null && run.done.slicesLoaded === 0
  const mayPublish = fatal?.exitCode !== SINK_EXIT && !hasNothingNew
  return store
    .endRun({ ...ended, cancelled, fatal, mayPublish })
    .catch((error: unknown) =>
      store.reportRun({ ...ended, verdict: 'failed', fatal: failureOf(error), publications: [] }),
    )
}
