import { GRANULARITY_MS } from '../../api/granularity.ts'
import type { RunReport } from '../../activities/run-report.ts'
import { writeOrder } from '../../activities/plan/order-file.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { pathsOf, warehouseIdOf } from '../../config/warehouse-paths.ts'
import type { Config } from '../../config/config.ts'
import { HOUR_MS } from '../../config/values/duration.ts'
import { formatUtc } from '../../config/values/utc-date.ts'
import { datasetByName, datasets } from '../../datasets/index.ts'
import type { Order } from '../../plan/order.ts'
import { floorToStep } from '../../plan/utc-grid.ts'
import { WarehouseBusyError } from '../../sinks/sink-error.ts'
import { exportWorkflowId } from '../../workflows/messages.ts'
import type { RunKind } from '../../workflows/run-kind.ts'
import type { Effects } from '../effects.ts'
import { counted } from '../render/quantities.ts'
import type { RunRenderer } from '../render/create-renderer.ts'
import { begunRun, forgetBegunRun, noteBegunRun } from './begun-run.ts'
import { queueNames } from '../../engine/queues.ts'
import { workflowsId } from '../../engine/workflow-bundle.ts'
import type { RunningWorkers } from '../../engine/workers.ts'
import type { WorkflowThread } from '../../engine/workflow-thread.ts'
import { coinlakeVersion } from '../version.ts'
import { closingAfter } from './closing-after.ts'
import { connectMeanwhile } from './connect-client.ts'
import { doubtfulNameWarnings } from './doubtful-names.ts'
import { BROKEN_OFF, followRun, NOT_REPLAYED, RunFailed } from './follow-run.ts'
import { watchWorker } from './watch-worker.ts'
import { keyMonths, sumOfRates } from './key-months.ts'
import type { OpenWarehouse } from './open-warehouse.ts'
import { openRunLog } from './run-log.ts'
import { newRunId, retireOldPlan, startRun, type StartedRun } from './start-run.ts'
import { takeWarehouse } from './take-warehouse.ts'
import { claimWarehouse, livingWorker, type LivingWorker } from './worker-claim.ts'

/** Kinds with a past, which can be fetched again. */
const HISTORIES: readonly string[] = ['range', 'trailing', 'dated']

export interface ExportRequest {
  config: Config
  /** `by_hand` is a refetch: it fetches histories again that the store already covers. */
  kind: Exclude<RunKind, 'sync'>
  /** Accepts a store that is gone, an old copy of it, and another source. */
  isAfresh?: boolean
  /** The thread of the workflows, started early and released by its starter. */
  thread?: WorkflowThread | undefined
  /** The command that goes on with a broken-off run. */
  goOnWith: string
}

/** A restarted worker may hold the store for this long before it claims the warehouse. */
const RESTARTED_WAIT_MS = 60_000

/** Codes of runs that another one goes on with. */
const GO_ON: ReadonlySet<string> = new Set([NOT_REPLAYED, BROKEN_OFF])

/** The end of a look at a run that this process or another run goes on with. Its message tells so. */
class GoesOn extends Error {}

/**
 * Runs one export to its end and returns its report. The workers run in this process. If another process already works
 * on the warehouse, that one gets the run and this one follows. If that process is killed, this one goes on with the run.
 * A run that Temporal cannot replay is followed by another. So is one that another command ends, or that was planned in an
 * earlier step.
 *
 * @throws CoinlakeError of every kind; the signal's reason when it is aborted
 */
export async function runExport(
  effects: Effects,
  request: ExportRequest,
  renderer: RunRenderer,
  signal: AbortSignal,
): Promise<RunReport> {
  for (let claimWaitMs: number | undefined; ; claimWaitMs = RESTARTED_WAIT_MS) {
    try {
      return await takeAndRun(effects, request, renderer, signal, claimWaitMs)
    } catch (error) {
      const isLost = error instanceof RunFailed && GO_ON.has(error.code)
      if (!isLost && !(error instanceof GoesOn)) throw error
      renderer.note(isLost ? `${error.message}; another run goes on` : error.message)
      signal.throwIfAborted()
    }
  }
}

/** @throws GoesOn; all that `runExport` throws */
async function takeAndRun(
  effects: Effects,
  request: ExportRequest,
  renderer: RunRenderer,
  signal: AbortSignal,
  claimWaitMs: number | undefined,
): Promise<RunReport> {
  const { config, kind, isAfresh = false, thread } = request
  const note = (text: string): void => renderer.note(text)
  return closingAfter(async (defer) => {
    const order = orderOf(request, effects.clock)
    const paths = pathsOf(config)
    // The server takes half a second to start, the store a quarter, and their modules half a second to load. So all
    // three go on at the same time.
    const connected = connectMeanwhile(effects, defer)
    const open = async (): Promise<OpenWarehouse> => {
      const { openWarehouse } = await import('./open-warehouse.ts')
      return await openWarehouse(config, effects.clock, note, { isAfresh })
    }
    const taking = takeWarehouse(config.warehouseDir, open, signal, claimWaitMs)
    defer(async () => await (await taking.catch(() => null))?.warehouse?.close())
    taking.catch(() => undefined)
    if (livingWorker(config.warehouseDir) === null) await import('./host-workers.ts')
    const { warehouse, other } = await taking
    const ownWorkflowsId = workflowsId()
    if (other !== null) {
      if (other.workflowsId !== ownWorkflowsId) throw otherVersionError(other)
      note(`process ${other.pid} works on this warehouse: the run goes there`)
    }
    // Before any call.
    if (warehouse !== null) {
      const warnings = await doubtfulNameWarnings(warehouse.store.query, order.wanted)
      for (const text of warnings) note(`warning: ${text}`)
    }
    const warehouseId = warehouseIdOf(config)
    const { workflows, ...queues } = queueNames({ warehouseId, workflowsId: ownWorkflowsId })
    const orderId = await writeOrder(paths.ordersDir, { ...order, byHand: true })
    const log = openRunLog(paths.logsDir, config.log, effects.stderr)
    renderer.step('connecting to Temporal ...')
    const { client, engine } = await connected()
    const workflowId = exportWorkflowId(warehouseId)
    const planStep = planStepOf(order, effects.clock)
    // An old plan ends before workers start, which would fetch for it. In a lake others may work on it.
    const begunId = begunRun(paths)?.runId
    if (warehouse !== null && config.lake === null && begunId !== undefined) {
      const ended = await retireOldPlan(client, workflowId, { orderId, planStep, begunId })
      if (ended !== null) {
        note(
          `run ${ended} was broken off and is over; this one plans anew, and nothing loaded is lost`,
        )
      }
    }
    const doing = warehouse === null ? 'following the run' : 'starting workers'
    renderer.step(`${doing} on ${engine.describe()} ...`)
    let workers: RunningWorkers | null = null
    if (warehouse !== null) {
      const { hostWorkers } = await import('./host-workers.ts')
      const parts = { config, client, engine, warehouse, log, say: note, thread }
      const hosted = await hostWorkers(effects, parts)
      defer(hosted.close)
      workers = hosted.workers
    }
    const { every } = config.publish
    const runId = newRunId(Date.now())
    const rhythm = every === 'end' ? {} : { publishEveryMs: every }
    const started = await startRun(client, {
      workflowId,
      taskQueue: workflows,
      input: { runId, orderId, queues, ...rhythm, kind },
      planStep,
      workflowsId: ownWorkflowsId,
      lostAfterMs: engine.lostAfterMs,
    })
    if (!started.isAttached) await noteBegunRun(paths, { runId, goOnWith: request.goOnWith })
    // Only now, because a command that reads the claim would hand its run to workers that are still busy beginning.
    if (warehouse !== null) defer(await claimWarehouse(config))
    log.info({ runId: started.runId, orderId }, started.isAttached ? 'attached' : 'started')
    if (started.isAttached) note(`going on with run ${started.runId}`)
    const report = await followToEnd(started.handle, { config, workers, renderer, signal })
    // A lake's report may be in another worker's folder. Without one, this note would mean that the run broke off.
    forgetBegunRun(paths, report.runId)
    log.info({ runId: report.runId, verdict: report.verdict }, 'ended')
    if (started.isUpToNow || report.verdict !== 'complete') return report
    const brought = `${counted(report.rows, 'row')} with ${counted(report.calls, 'call')}`
    throw new GoesOn(
      `run ${report.runId}, planned earlier, is complete (${brought}): another run goes on up to now`,
    )
  })
}

/**
 * Follows a run with its progress.
 *
 * @param parts.workers the workers of this process; null = another process has the run
 * @throws GoesOn when that process is gone; the error of this process's workers; as `followRun`
 */
async function followToEnd(
  handle: StartedRun['handle'],
  parts: {
    config: Config
    workers: RunningWorkers | null
    renderer: RunRenderer
    signal: AbortSignal
  },
): Promise<RunReport> {
  const { config, workers, renderer, signal } = parts
  const unanswered = new AbortController()
  // The error of failed workers is better than the silence of their run.
  workers?.run.catch((error: unknown) => unanswered.abort(error))
  const note = (text: string): void => renderer.note(text)
  const goneAt = workers === null ? watchWorker(config.warehouseDir, note) : () => null
  return followRun(
    handle,
    async (sign, progress) => {
      const gone = goneAt(sign)
      if (gone !== null) unanswered.abort(new GoesOn(`${gone}: this process goes on with the run`))
      // Else the time left would go on counting while nobody works.
      if (progress !== null && sign !== 'silent') {
        renderer.progress(progress, sumOfRates(await keyMonths(config)))
      }
    },
    AbortSignal.any([signal, unanswered.signal]),
  )
}

function orderOf({ config, kind }: ExportRequest, clock: Effects['clock']): Order {
  const wanted = wantedFromConfig(config, datasets, clock)
  if (kind === 'backfill') return { wanted }
  const histories = wanted.filter(({ dataset }) =>
    HISTORIES.includes(datasetByName(dataset)?.kind ?? ''),
  )
  return { wanted: histories, refetch: true }
}

/**
 * The present step of an order's shortest series, an hour at most. A plan of an earlier step lacks the newest points. A
 * refetch names its stretch, so its plan stays: another one would pay for its loaded slices again.
 */
function planStepOf({ wanted, refetch }: Order, clock: Effects['clock']): string {
  if (refetch === true) return 'refetch'
  const steps = wanted.map(({ everyMs, granularity }) =>
    granularity === '' ? everyMs || HOUR_MS : GRANULARITY_MS[granularity],
  )
  return formatUtc(floorToStep(clock.nowMs(), Math.min(HOUR_MS, ...steps)))
}

function otherVersionError({
  pid,
  version = 'of an early build',
}: LivingWorker): WarehouseBusyError {
  return new WarehouseBusyError(
    `process ${pid} works on this warehouse and is coinlake ${version} with other workflows; this is coinlake ${coinlakeVersion}`,
    {
      code: 'WORKER_OF_ANOTHER_VERSION',
      hint: 'Stop that process and start it again with this version, or give the order with its version.',
    },
  )
}
