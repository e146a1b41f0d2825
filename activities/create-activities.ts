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
  /** Slice ids by ordinal, as loads and failures have only ordinals. Asked before the write: an error would hide that. */
  const sliceIdsOf = async (runId: string, ordinals: readonly number[]) => {
    const rows = await deps.store.query<{ ordinal: number; sliceId: string }>(
      `SELECT ordinal, slice_id AS sliceId FROM _slices
       WHERE run_id = $runId AND list_contains($ordinals::JSON::BIGINT[], ordinal)`,
      { runId, ordinals: JSON.stringify(ordinals) },
    )
    return new Map(rows.map(({ ordinal, sliceId }) => [ordinal, sliceId]))
  }
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
      const { runId, ordinals } = input
      const ids = await sliceIdsOf(runId, ordinals)
      const startedMs = performance.now()
      const loaded = await loadSlices(deps, input)
      const { slices, rows, notStaged } = loaded
      const taken = ordinals.filter((ordinal) => !notStaged.includes(ordinal))
      const durationMs = performance.now() - startedMs
      const sliceIds = taken.map((ordinal) => ids.get(ordinal)!)
      await observe({ kind: 'loaded', runId, slices, rows, sliceIds, durationMs })
      return loaded
    }),
    failSlices: asActivity(async (input) => {
      const { runId, failures } = input
      const ordinals = failures.map(({ ordinal }) => ordinal)
      const ids = await sliceIdsOf(runId, ordinals)
      await failSlices(deps, input)
      for (const { ordinal, code, reason } of failures) {
        await observe({ kind: 'slice_failed', runId, sliceId: ids.get(ordinal)!, code, reason })
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
