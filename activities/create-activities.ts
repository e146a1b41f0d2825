import type { FetchDeps, StoreDeps } from './activity-deps.ts'
import type { FetchActivities, StoreActivities } from './activity-types.ts'
import { asActivity } from './as-activity.ts'
import { toRetriedFailure } from './activity-failure.ts'
import { endRun, publishRun, reportRun } from './end/end-run.ts'
import { stateSweep } from './end/sweep-state.ts'
import { failSlices } from './fail-slices.ts'
import { fetchBatch } from './fetch/fetch-batch.ts'
import { fetchUniverse } from './fetch/fetch-universe.ts'
import { runsOfProcess } from './fetch/key-ring.ts'
import { loadSlices } from './load-slices.ts'
import { nextSlices } from './plan/next-slices.ts'
import { openWindow } from './plan/open-window.ts'
import { freezeUniverse, planRun } from './plan/plan-run.ts'
import type { PublishReport } from '../sinks/publication.ts'
import { ownSchedule, reportIfBroken, type RunObserver } from './run-events.ts'
import type { RunReport } from './run-report.ts'

export function createFetchActivities(deps: FetchDeps): FetchActivities {
  const runOf = runsOfProcess(deps.keys)
  return {
    fetchBatch: asActivity((input, stopped) => fetchBatch(deps, runOf, input, stopped)),
    fetchUniverse: asActivity((input, stopped) => fetchUniverse(deps, runOf, input, stopped)),
  }
}

/** Activities of the one process with the open store. `observer` receives their results. */
export function createStoreActivities(deps: StoreDeps, observer: RunObserver): StoreActivities {
  const observe: RunObserver = async (event) => {
    try {
      await observer(event)
    } catch (error) {
      throw toRetriedFailure(error)
    }
  }
  const sweep = stateSweep(deps)
  const notePublished = async (runId: string, publications: PublishReport[]): Promise<void> => {
    const durationMs = publications.reduce((sum, made) => sum + made.durationMs, 0)
    await observe({ kind: 'published', runId, publications, durationMs })
  }
  /** Reports the end before Temporal records it. If this process is killed in between, the next one reports again. */
  const noteEnd = async (report: RunReport): Promise<RunReport> => {
    const { runId, publications } = report
    await sweep(Date.now()).catch(() => undefined)
    if (publications.length > 0) await notePublished(runId, publications)
    await observe({ kind: 'ended', runId, schedule: ownSchedule(), report })
    return report
  }
  return {
    openWindow: asActivity((input) =>
      reportIfBroken(observe, { ...input, orderId: input.templateId }, () =>
        openWindow(deps, input),
      ),
    ),
    planRun: asActivity(async (input) => {
      const planned = await reportIfBroken(observe, input, () => planRun(deps, input))
      if (planned.plan !== null) {
        const { slices } = planned.plan
        await observe({ kind: 'planned', runId: input.runId, schedule: ownSchedule(), slices })
      }
      return planned
    }),
    freezeUniverse: asActivity((input) => freezeUniverse(deps, input)),
    nextSlices: asActivity((input) => nextSlices(deps, input)),
    loadSlices: asActivity(async (input) => {
      const { runId } = input
      const startedMs = performance.now()
      // A history keeps the result of each activity, so the ids stay here.
      const { sliceIds, ...loaded } = await loadSlices(deps, input)
      const { slices, rows } = loaded
      const durationMs = performance.now() - startedMs
      await observe({ kind: 'loaded', runId, slices, rows, sliceIds, durationMs })
      return loaded
    }),
    failSlices: asActivity(async (input) => {
      const { runId, failures } = input
      const sliceIds = await failSlices(deps, input)
      for (const { ordinal, code, reason } of failures) {
        const sliceId = sliceIds.get(ordinal)!
        await observe({ kind: 'slice_failed', runId, sliceId, code, reason })
      }
    }),
    publishRun: asActivity(async (input) => {
      const publications = await publishRun(deps, input)
      await notePublished(input.runId, publications)
      return publications
    }),
    endRun: asActivity(async (input) => noteEnd(await endRun(deps, input))),
    reportRun: asActivity(async (input) =>
      noteEnd(await reportIfBroken(observe, input, () => reportRun(deps, input))),
    ),
  }
}
