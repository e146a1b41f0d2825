import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { FailureFacts } from './activity-failure.ts'
import type { StoreActivities, NextSlicesResult } from './activity-types.ts'
import type { RunReport } from './run-report.ts'
import type { PublishReport } from '../sinks/publication.ts'
import type { RunObserver } from './run-events.ts'

/** The store activities with an observer of their results. */
export function watchStore(activities: StoreActivities, observe: RunObserver): StoreActivities {
  /** Slice ids by run and ordinal, because loads and failures have only ordinals. */
  const sliceIds = new Map<string, string>()
  const takeSliceId = (runId: string, ordinal: number): string => {
    const place = `${runId} ${ordinal}`
    const id = sliceIds.get(place) ?? place
    sliceIds.delete(place)
    return id
  }
  const noteIds = (runId: string, { slices }: NextSlicesResult): void => {
    for (const { ordinal, sliceId } of slices) sliceIds.set(`${runId} ${ordinal}`, sliceId)
  }
  const notePublished = async (runId: string, publications: PublishReport[]): Promise<void> => {
    const durationMs = publications.reduce((sum, made) => sum + made.durationMs, 0)
    await observe({ kind: 'published', runId, publications, durationMs })
  }
  /** Reports the end before Temporal hears of it, so that the next process repeats the report of a killed one. */
  const noteEnd = async (runId: string, report: RunReport): Promise<void> =>
    observe({ kind: 'ended', runId, schedule: ownSchedule(), report })
  return {
    ...activities,
    async openWindow(input) {
      const window = { ...input, orderId: input.templateId }
      return reportingBreak(observe, window, () => activities.openWindow(input))
    },
    async planRun(input) {
      const { runId } = input
      const planned = await reportingBreak(observe, input, () => activities.planRun(input))
      noteIds(runId, planned.first)
      if (planned.plan !== null) {
        const { slices } = planned.plan
        await observe({ kind: 'planned', runId, schedule: ownSchedule(), slices })
      }
      return planned
    },
    async nextSlices(input) {
      const found = await activities.nextSlices(input)
      noteIds(input.runId, found)
      return found
    },
    async loadSlices(input) {
      const { runId } = input
      const startedMs = performance.now()
      const loaded = await activities.loadSlices(input)
      const ids = input.ordinals
        .filter((ordinal) => !loaded.notStaged.includes(ordinal))
        .map((ordinal) => takeSliceId(runId, ordinal))
      const { slices, rows } = loaded
      const durationMs = performance.now() - startedMs
      await observe({ kind: 'loaded', runId, slices, rows, sliceIds: ids, durationMs })
      return loaded
    },
    async failSlices(input) {
      await activities.failSlices(input)
      const { runId } = input
      for (const { ordinal, code, reason } of input.failures) {
        const sliceId = takeSliceId(runId, ordinal)
        await observe({ kind: 'slice_failed', runId, sliceId, code, reason })
      }
    },
    async publishRun(input) {
      const publications = await activities.publishRun(input)
      await notePublished(input.runId, publications)
      return publications
    },
    async endRun(input) {
      const { runId } = input
      const report = await activities.endRun(input)
      if (report.publications.length > 0) await notePublished(runId, report.publications)
      await noteEnd(runId, report)
      return report
    },
    async reportRun(input) {
      const report = await reportingBreak(observe, input, () => activities.reportRun(input))
      await noteEnd(input.runId, report)
      return report
    },
  }
}

/** Runs an activity, and reports when it fails for good: its run ends without a report. */
async function reportingBreak<T>(
  observe: RunObserver,
  {
    runId,
    orderId,
    schedule = ownSchedule(),
  }: { runId: string; orderId: string; schedule?: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { attempt, retryPolicy } = Context.current().info
    const isLast = attempt === retryPolicy?.maximumAttempts
    if (error instanceof ApplicationFailure && (error.nonRetryable === true || isLast)) {
      const facts = error.details?.[0] as FailureFacts | undefined
      const code = error.type ?? 'UNEXPECTED'
      await observe({
        kind: 'broken',
        runId,
        schedule,
        orderId,
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

/** The schedule in the workflow id `export/<warehouse>/<schedule>`; '' for a run by hand. */
export function scheduleOf(workflowId: string): string {
  return workflowId.split('/').slice(2).join('/')
}
