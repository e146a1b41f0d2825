import {
  allHandlersFinished,
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import type { ChildWorkflowHandle } from '@temporalio/workflow'
import type { PlanResult, RunReport } from '../activities/activity-types.ts'
import type { PublishReport } from '../sinks/publication.ts'
import { failureOf, loadActivities, SINK_EXIT } from './activity-proxies.ts'
import { chooseUniverse } from './choose-universe.ts'
import { exportLane } from './export-lane.ts'
import { keyPool } from './key-pool.ts'
import { publishInRhythm } from './publish-in-rhythm.ts'
import {
  cancelUpdate,
  laneControlSignal,
  laneReportSignal,
  noTotals,
  pauseUpdate,
  progressQuery,
  resumeUpdate,
} from './messages.ts'
import type {
  ExportInput,
  Fatal,
  LaneReport,
  LaneResult,
  LaneTotals,
  LostKey,
  RunPhase,
  RunProgress,
} from './messages.ts'
import { createPaceTracker } from './run-pace.ts'

/**
 * One run of an export: choose coins where the order has a selector, plan into the ledger, let the
 * lanes fetch and load, verify, publish, report. `backfill`, `sync` and the filling of holes are
 * this same workflow with other bounds. Being cancelled by Temporal means the same as the update
 * `cancel`: the run ends in order, with what it has.
 */
export async function exportWarehouse(input: ExportInput): Promise<RunReport> {
  const { cancelRequested } = CancellationScope.current()
  return CancellationScope.nonCancellable(() => runExport(input, cancelRequested))
}

async function runExport(input: ExportInput, cancelRequested: Promise<never>): Promise<RunReport> {
  const loading = loadActivities(input.queues)
  const fetching = keyPool(input.queues, input.kind, [])
  const startedAtMs = Date.now()
  let phase: RunPhase = 'opening'
  let paused = false
  let cancelled = false
  let plan: PlanResult = { slices: 0, pages: 0 }
  let choosingCalls = 0
  let waitUntilMs = 0
  let laneIds: string[] = []
  const lanes = new Map<number, LaneReport>()
  const lostKeys = new Map<string, LostKey>()
  const pace = createPaceTracker()

  const progress = (): RunProgress => ({
    runId: input.runId,
    orderId: input.orderId,
    phase,
    paused,
    cancelled,
    slicesPlanned: plan.slices,
    pagesPlanned: plan.pages,
    pace: pace.pace(),
    startedAtMs,
    throttledUntilMs: Math.max(
      waitUntilMs,
      ...[...lanes.values()].map((lane) => lane.throttledUntilMs),
    ),
    ...sum([...lanes.values()], choosingCalls),
  })
  const tellLanes = async (): Promise<void> => {
    await Promise.all(
      laneIds.map(
        (id) =>
          getExternalWorkflowHandle(id)
            .signal(laneControlSignal, { paused, stopping: cancelled })
            .catch(() => undefined), // A lane that has ended needs no word.
      ),
    )
  }
  setHandler(progressQuery, progress)
  setHandler(laneReportSignal, (report) => {
    lanes.set(report.lane, report)
    pace.note(report)
  })
  setHandler(pauseUpdate, async () => {
    paused = true
    await tellLanes()
    return progress()
  })
  setHandler(resumeUpdate, async () => {
    paused = false
    pace.begin(Date.now())
    await tellLanes()
    return progress()
  })
  setHandler(cancelUpdate, async () => {
    cancelled = true
    await tellLanes()
    return progress()
  })
  cancelRequested.catch(() => {
    cancelled = true
    void tellLanes()
  })

  const opened = await loading.openRun({ runId: input.runId, orderId: input.orderId })

  let fatal: Fatal | null = null
  phase = 'choosing'
  try {
    for (const selector of opened.universes) {
      const isChosen = await chooseUniverse(fetching, input.stageDir, selector, {
        mayGoOn: () => !paused || cancelled,
        isCancelled: () => cancelled,
        onCalls: (calls) => {
          choosingCalls += calls
        },
        onThrottled: (untilMs) => {
          waitUntilMs = untilMs
        },
      })
      if (!isChosen) break
      await loading.freezeUniverse({ selector })
    }
  } catch (error) {
    // Without its coins the order means nothing: whatever ended the choice ends the run.
    fatal = failureOf(error)
  }

  if (fatal === null && !cancelled) {
    phase = 'planning'
    const { runId, orderId, schedule, windowMs } = input
    const window = schedule === undefined || windowMs === undefined ? {} : { schedule, windowMs }
    plan = await loading.planRun({ runId, orderId, ...window })
    phase = 'fetching'
    await condition(() => !paused || cancelled)
    if (plan.slices > 0 && !cancelled) {
      const { lanes: most, slicesPerLane = 1 } = input
      const count = Math.min(most, Math.ceil(plan.slices / slicesPerLane))
      const inFlight = Math.ceil((most * input.inFlight) / count)
      pace.begin(Date.now(), count)
      const handles = await Promise.all(
        Array.from({ length: count }, (_, lane) =>
          startChild(exportLane, {
            workflowId: `${workflowInfo().workflowId}/${input.runId}/lane-${lane}`,
            args: [
              {
                runId: input.runId,
                stageDir: input.stageDir,
                lane,
                lanes: count,
                inFlight,
                queues: input.queues,
                kind: input.kind,
                after: -1,
                paused,
                done: noTotals,
                lostKeys: fetching.lost(),
              },
            ],
            workflowTaskTimeout: workflowInfo().taskTimeoutMs,
          }),
        ),
      )
      laneIds = handles.map((handle) => handle.workflowId)
      if (paused || cancelled) await tellLanes()
      const results = handles.map(async (handle, lane) => {
        const laneFatal = await endOfLane(handle, ({ lostKeys: lost, ...totals }) => {
          const ended = { lane, atMs: Date.now(), throttledUntilMs: 0, ...totals }
          lanes.set(lane, ended)
          pace.note({ ...ended, isDone: true })
          for (const key of lost) lostKeys.set(key.keyId, key)
        })
        if (laneFatal !== null && fatal === null) {
          fatal = laneFatal
          await stopLanes(laneIds)
        }
      })
      let isOver = false
      const { publishEveryMs: everyMs } = input
      const loaded = (): number => progress().slicesLoaded
      const rhythm =
        everyMs === undefined
          ? Promise.resolve()
          : publishInRhythm(loading, { runId, everyMs, loaded, isOver: () => isOver })
      await Promise.all(results)
      isOver = true
      await rhythm
    }
  }

  phase = 'verifying'
  let { verdict } = await loading.verifyRun({ runId: input.runId, cancelled, fatal })
  phase = 'publishing'
  let publications: PublishReport[] = []
  try {
    // A sink that failed under the loads is not tried again, and a run that was stopped before it
    // brought anything in, by a refused key say, leaves what readers have as it is.
    const isInVain = fatal !== null && progress().slicesLoaded === 0
    if (fatal?.exitCode !== SINK_EXIT && !isInVain) {
      publications = await loading.publishRun({ runId: input.runId, verdict })
    }
  } catch (error) {
    fatal = failureOf(error)
    verdict = 'failed'
  }
  const report = await loading.reportRun({
    runId: input.runId,
    orderId: input.orderId,
    verdict,
    startedAtMs,
    fatal,
    lostKeys: [...lostKeys.values()],
    publications,
  })
  phase = 'done'
  await condition(allHandlersFinished)
  return report
}

/** Waits for a lane; one that was ended from outside or broke ends the run in order, as a fatal fault. */
async function endOfLane(
  handle: ChildWorkflowHandle<typeof exportLane>,
  onEnd: (result: Omit<LaneResult, 'fatal'>) => void,
): Promise<Fatal | null> {
  try {
    const { fatal, ...result } = await handle.result()
    onEnd(result)
    return fatal
  } catch (error) {
    return failureOf(error)
  }
}

function sum(lanes: readonly LaneTotals[], choosingCalls: number): LaneTotals {
  const total = { ...noTotals, calls: choosingCalls }
  for (const lane of lanes) {
    total.slicesLoaded += lane.slicesLoaded
    total.slicesFailed += lane.slicesFailed
    total.rows += lane.rows
    total.calls += lane.calls
    total.pages += lane.pages
    total.bytes += lane.bytes
    total.throttled += lane.throttled
  }
  return total
}

async function stopLanes(laneIds: readonly string[]): Promise<void> {
  await Promise.all(
    laneIds.map((id) =>
      getExternalWorkflowHandle(id)
        .signal(laneControlSignal, { paused: false, stopping: true })
        .catch(() => undefined),
    ),
  )
}
