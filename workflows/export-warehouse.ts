import {
  allHandlersFinished,
  CancellationScope,
  condition,
  getExternalWorkflowHandle,
  setHandler,
  sleep,
  startChild,
  workflowInfo,
} from '@temporalio/workflow'
import type { FetchActivities, RunReport, Verdict } from '../activities/activity-types.ts'
import {
  controlActivities,
  failureOf,
  fatalOf,
  fetchActivities,
  loadActivities,
} from './activity-proxies.ts'
import { exportLane } from './export-lane.ts'
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
  LaneTotals,
  RunPhase,
  RunProgress,
} from './messages.ts'

/**
 * One run of an export: choose coins where the order says `top:N`, plan into the ledger, let the
 * lanes fetch and load, verify, publish, report. `backfill`, `sync` and the filling of holes are
 * this same workflow with other bounds.
 */
export async function exportWarehouse(input: ExportInput): Promise<RunReport> {
  const loading = loadActivities(input.queues)
  const fetching = fetchActivities(input.queues, input.priority)
  const startedAtMs = Date.now()
  let phase: RunPhase = 'opening'
  let paused = false
  let cancelled = false
  let slicesPlanned = 0
  let choosingCalls = 0
  let laneIds: string[] = []
  const lanes = new Map<number, LaneReport>()
  let cap = Infinity

  const progress = (): RunProgress => ({
    runId: input.runId,
    orderId: input.orderId,
    phase,
    paused,
    cancelled,
    slicesPlanned,
    startedAtMs,
    throttledUntilMs: Math.max(0, ...[...lanes.values()].map((lane) => lane.throttledUntilMs)),
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
  setHandler(laneReportSignal, async (report) => {
    lanes.set(report.lane, report)
    const told = report.callsPerSecond
    // What was configured holds; else the slowest rate that any answer has told.
    if (input.capCallsPerSecond !== null || told === null || told >= cap) return
    cap = told
    await controlActivities(input.queues).setCap({
      fetchQueue: input.queues.fetch,
      callsPerSecond: told,
    })
  })
  setHandler(pauseUpdate, async () => {
    paused = true
    await tellLanes()
    return progress()
  })
  setHandler(resumeUpdate, async () => {
    paused = false
    await tellLanes()
    return progress()
  })
  setHandler(cancelUpdate, async () => {
    cancelled = true
    await tellLanes()
    return progress()
  })

  const opened = await loading.openRun({ runId: input.runId, orderId: input.orderId })
  await controlActivities(input.queues).setCap({
    fetchQueue: input.queues.fetch,
    callsPerSecond: input.capCallsPerSecond,
  })

  let fatal: Fatal | null = null
  phase = 'choosing'
  try {
    for (const top of opened.universes) {
      choosingCalls += await chooseUniverse(fetching, input.stageDir, top)
      await loading.freezeUniverse({ top })
    }
  } catch (error) {
    const failure = failureOf(error)
    // Without its coins the order means nothing: whatever ended the choice ends the run.
    fatal = fatalOf(failure) ?? {
      ...failure,
      exitCode: failure.exitCode === 1 ? 4 : failure.exitCode,
    }
  }

  if (fatal === null) {
    phase = 'planning'
    const plan = await loading.planRun({ runId: input.runId, orderId: input.orderId })
    slicesPlanned = plan.slices
    phase = 'fetching'
    await condition(() => !paused || cancelled)
    if (slicesPlanned > 0 && !cancelled) {
      const count = Math.min(input.lanes, slicesPlanned)
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
                inFlight: input.inFlight,
                queues: input.queues,
                priority: input.priority,
                after: -1,
                paused,
                done: noTotals,
              },
            ],
          }),
        ),
      )
      laneIds = handles.map((handle) => handle.workflowId)
      if (paused || cancelled) await tellLanes()
      const results = handles.map(async (handle, lane) => {
        const { fatal: laneFatal, ...totals } = await handle.result()
        lanes.set(lane, { lane, throttledUntilMs: 0, callsPerSecond: null, ...totals })
        if (laneFatal !== null && fatal === null) {
          fatal = laneFatal
          await stopLanes(laneIds)
        }
      })
      await Promise.all(results)
    }
  }

  return CancellationScope.nonCancellable(async () => {
    const ended: Fatal | null = fatal
    phase = 'verifying'
    const verified = await loading.verifyRun({ runId: input.runId, cancelled, fatal: ended })
    phase = 'publishing'
    const publications =
      ended?.exitCode === 5
        ? []
        : await loading.publishRun({ runId: input.runId, verdict: verified.verdict })
    const report = await loading.reportRun({
      runId: input.runId,
      orderId: input.orderId,
      verdict: verified.verdict satisfies Verdict,
      choosingCalls,
      startedAtMs,
      fatal: ended,
      publications,
    })
    phase = 'done'
    await condition(allHandlersFinished)
    return report
  })
}

function sum(lanes: readonly LaneTotals[], choosingCalls: number): LaneTotals {
  const total = { ...noTotals, calls: choosingCalls }
  for (const lane of lanes) {
    total.slicesLoaded += lane.slicesLoaded
    total.slicesFailed += lane.slicesFailed
    total.rows += lane.rows
    total.calls += lane.calls
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

/** Pages through the ranking until `top` coins are staged; returns the calls it took. */
async function chooseUniverse(
  fetching: FetchActivities,
  stageDir: string,
  top: number,
): Promise<number> {
  let calls = 0
  for (let page = 1; ;) {
    const result = await fetching.fetchUniverse({ stageDir, top, page })
    calls += result.calls
    if (result.kind === 'throttled') {
      await sleep(Math.max(1, result.throttledUntilMs - Date.now()))
    } else if (result.kind === 'page') {
      if (result.next === null) return calls
      page = result.next.page
    }
  }
}
