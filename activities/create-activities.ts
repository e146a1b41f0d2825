import type { SourceClient } from '../api/client.ts'
import type { ControlDeps, FetchDeps, LoadDeps } from './activity-deps.ts'
import type { ControlActivities, FetchActivities, LoadActivities } from './activity-types.ts'
import { asActivity } from './as-activity.ts'
import { publishRun, reportRun, verifyRun } from './end-run.ts'
import { failSlices } from './fail-slices.ts'
import { fetchPage } from './fetch-page.ts'
import { fetchUniverse } from './fetch-universe.ts'
import { loadSlices } from './load-slices.ts'
import { nextSlices } from './next-slices.ts'
import { openWindow } from './open-window.ts'
import { freezeUniverse, openRun, planRun } from './plan-run.ts'

/**
 * Activities of the capped queue: one HTTP request each.
 *
 * @param reserveClient asks for runs that may use what backfills leave alone of a month.
 */
export function createFetchActivities(
  deps: FetchDeps,
  reserveClient: SourceClient = deps.client,
): FetchActivities {
  const reserveDeps = { ...deps, client: reserveClient }
  const depsOf = (input: { mayUseReserve?: boolean }): FetchDeps =>
    input.mayUseReserve === true ? reserveDeps : deps
  return {
    fetchPage: asActivity((input, signal) => fetchPage(depsOf(input), input, signal)),
    fetchUniverse: asActivity((input, signal) => fetchUniverse(depsOf(input), input, signal)),
  }
}

/** Activities of the one process that holds the store open. */
export function createLoadActivities(
  deps: LoadDeps,
  dirs: { ordersDir: string; runsDir: string },
): LoadActivities {
  return {
    openWindow: asActivity((input) => openWindow(deps, dirs.ordersDir, input)),
    openRun: asActivity((input) => openRun(deps, dirs.ordersDir, input)),
    freezeUniverse: asActivity((input) => freezeUniverse(deps, input)),
    planRun: asActivity((input) => planRun(deps, dirs.ordersDir, input)),
    nextSlices: asActivity((input) => nextSlices(deps, input)),
    loadSlices: asActivity((input) => loadSlices(deps, input)),
    failSlices: asActivity((input) => failSlices(deps, input)),
    verifyRun: asActivity((input) => verifyRun(deps, input)),
    publishRun: asActivity((input) => publishRun(deps, dirs.ordersDir, input)),
    reportRun: asActivity((input) => reportRun(deps, dirs, input)),
  }
}

export function createControlActivities(deps: ControlDeps): ControlActivities {
  return {
    setCap: asActivity(({ fetchQueue, callsPerSecond }) =>
      deps.setQueueCap(fetchQueue, callsPerSecond),
    ),
  }
}
