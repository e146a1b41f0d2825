import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { FailureFacts } from './activity-failure.ts'
import type { LoadActivities } from './activity-types.ts'
import type { RunObserver } from './run-events.ts'

/** The same load activities, with an observer that is told what they came to. */
export function watchLoad(activities: LoadActivities, observe: RunObserver): LoadActivities {
  /** The failures of a run and its loads name slices by their place in it. */
  const sliceIds = new Map<string, string>()
  const idOf = (runId: string, ordinal: number): string => {
    const place = `${runId} ${ordinal}`
    const id = sliceIds.get(place) ?? place
    sliceIds.delete(place)
    return id
  }
  return {
    ...activities,
    openRun: (input) => noticing(observe, input.runId, () => activities.openRun(input)),
    async planRun(input) {
      const plan = await noticing(observe, input.runId, () => activities.planRun(input))
      const { slices } = plan
      await observe({ kind: 'planned', runId: input.runId, schedule: ownSchedule(), slices })
      return plan
    },
    async nextSlices(input) {
      const found = await activities.nextSlices(input)
      for (const { ordinal, sliceId } of found.slices)
        sliceIds.set(`${input.runId} ${ordinal}`, sliceId)
      return found
    },
    async loadSlices(input) {
      const { runId } = input
      const startedMs = performance.now()
      const loaded = await activities.loadSlices(input)
      const ids = input.ordinals
        .filter((ordinal) => !loaded.notStaged.includes(ordinal))
        .map((ordinal) => idOf(runId, ordinal))
      const { slices, rows } = loaded
      const durationMs = performance.now() - startedMs
      await observe({ kind: 'loaded', runId, slices, rows, sliceIds: ids, durationMs })
      return loaded
    },
    async failSlices(input) {
      await activities.failSlices(input)
      const { runId } = input
      for (const { ordinal, code, reason } of input.failures) {
        const sliceId = idOf(runId, ordinal)
        await observe({ kind: 'slice_failed', runId, sliceId, code, reason })
      }
    },
    verifyRun: (input) => noticing(observe, input.runId, () => activities.verifyRun(input)),
    async publishRun(input) {
      const { runId } = input
      const startedMs = performance.now()
      const publications = await activities.publishRun(input)
      const durationMs = performance.now() - startedMs
      await observe({ kind: 'published', runId, publications, durationMs })
      return publications
    },
    async reportRun(input) {
      const report = await noticing(observe, input.runId, () => activities.reportRun(input))
      // Before the server hears that the run has ended: whoever is killed here does this again.
      await observe({ kind: 'ended', runId: input.runId, schedule: ownSchedule(), report })
      return report
    },
  }
}

/** Without these a run has no report, so what ends them for good must be told here. */
async function noticing<T>(
  observe: RunObserver,
  runId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApplicationFailure && error.nonRetryable === true) {
      const facts = error.details?.[0] as FailureFacts | undefined
      const code = error.type ?? 'UNEXPECTED'
      await observe({
        kind: 'broken',
        runId,
        schedule: ownSchedule(),
        code,
        reason: error.message,
        hint: facts?.hint ?? '',
      })
    }
    throw error
  }
}

function ownSchedule(): string {
  return scheduleOf(Context.current().info.workflowExecution?.workflowId ?? '')
}

/** The schedule whose export that is: `export/<warehouse>/<schedule>`; '' for one by hand. */
export function scheduleOf(workflowId: string): string {
  return workflowId.split('/').slice(2).join('/')
}
