import type { FetchDeps, StoreDeps } from './activity-deps.ts'
import type { FetchActivities, StoreActivities } from './activity-types.ts'
import { asActivity } from './as-activity.ts'
import { endRun, publishRun, reportRun } from './end/end-run.ts'
import { stateSweep } from './end/sweep-state.ts'
import { failSlices } from './fail-slices.ts'
import { fetchBatch } from './fetch/fetch-batch.ts'
import { fetchUniverse } from './fetch/fetch-universe.ts'
import { processRuns } from './fetch/key-ring.ts'
import { loadSlices } from './load-slices.ts'
import { nextSlices } from './plan/next-slices.ts'
import { openWindow } from './plan/open-window.ts'
import { freezeUniverse, planRun } from './plan/plan-run.ts'
import type { RunReport } from './run-report.ts'

/** Heartbeats bring the cancellation. So a stopped run sends its last request within a second. */
const FETCH_HEARTBEAT_MS = 400

/** Activities of each process that fetches for the warehouse. */
export function createFetchActivities(deps: FetchDeps): FetchActivities {
  const runOf = processRuns(deps.keys)
  return {
    fetchBatch: asActivity(
      (input, stopped) => fetchBatch(deps, runOf, input, stopped),
      FETCH_HEARTBEAT_MS,
    ),
    fetchUniverse: asActivity(
      (input, stopped) => fetchUniverse(deps, runOf, input, stopped),
      FETCH_HEARTBEAT_MS,
    ),
  }
}

/** Activities of the one process with the open store. */
export function createStoreActivities(
  deps: StoreDeps,
  dirs: { ordersDir: string; runsDir: string },
): StoreActivities {
  const openOrders = async (): Promise<string[]> =>
    (await deps.store.unfinishedRuns()).map(({ orderId }) => orderId)
  const sweep = stateSweep({ ...dirs, openOrders })
  const swept = async (report: RunReport): Promise<RunReport> => {
    // A file that could not be removed costs only disk.
    await sweep(Date.now()).catch(() => undefined)
    return report
  }
  return {
    openWindow: asActivity((input) => openWindow(deps, dirs.ordersDir, input)),
    planRun: asActivity((input) => planRun(deps, dirs.ordersDir, input)),
    freezeUniverse: asActivity((input) => freezeUniverse(deps, input)),
    nextSlices: asActivity((input) => nextSlices(deps, input)),
    loadSlices: asActivity((input) => loadSlices(deps, input)),
    failSlices: asActivity((input) => failSlices(deps, input)),
    publishRun: asActivity((input) => publishRun(deps, input)),
    endRun: asActivity(async (input) => swept(await endRun(deps, dirs, input))),
    reportRun: asActivity(async (input) => swept(await reportRun(deps, dirs, input))),
  }
}
