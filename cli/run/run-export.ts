import type { RunReport } from '../../activities/run-report.ts'
import { writeOrder } from '../../activities/plan/order-file.ts'
import { requireAlerts } from '../../config/require-alerts.ts'
import { wantedFromConfig } from '../../config/wanted.ts'
import { pathsOf, warehouseIdOf } from '../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { Config } from '../../config/config.ts'
import { datasets } from '../../datasets/index.ts'
import type { Order, WantedDataset } from '../../plan/order.ts'
import { WarehouseBusyError } from '../../sinks/sink-error.ts'
import { exportWorkflowId } from '../../workflows/messages.ts'
import type { ExportInput, RunQueues } from '../../workflows/messages.ts'
import type { RunKind } from '../../workflows/run-kind.ts'
import type { Effects } from '../effects.ts'
import { approximateDuration } from '../render/quantities.ts'
import type { RunRenderer } from '../render/run-renderer.ts'
import { followAllowedRate } from './allowed-rate.ts'
import { forgetBegunRun, noteBegunRun } from './begun-run.ts'
import { queueNames } from '../../engine/queues.ts'
import { workflowsId } from '../../engine/workflow-bundle.ts'
import type { WorkflowThread } from '../../engine/workflow-thread.ts'
import { coinlakeVersion } from '../version.ts'
import { configKeys } from './config-keys.ts'
import { closingAfter } from './closing-after.ts'
import { connectClient } from './connect-client.ts'
import { doubtfulCoins } from './doubtful-coins.ts'
import { followRun } from './follow-run.ts'
import type { OpenWarehouse } from './open-warehouse.ts'
import { openRunLog } from './run-log.ts'
import { newRunId, startRun } from './start-run.ts'
import { takeWarehouse } from './take-warehouse.ts'
import { claimWarehouse, livingWorker } from './worker-claim.ts'
import type { LivingWorker } from './worker-claim.ts'

/** Kinds whose past can be asked for again; a snapshot or a catalogue is only what is now. */
const HISTORIES: readonly string[] = ['range', 'trailing', 'dated']

export interface ExportRequest {
  config: Config
  kind: RunKind
  /** Asks for what is there, too, and only for histories: a snapshot of the past cannot be had. */
  refetch?: true
  /** Begins a new store where the old one is gone, and goes on with an old copy. */
  isAfresh?: true
  /** That of the workflows, begun while modules were loaded; released here. */
  thread?: WorkflowThread | undefined
  /** The command that goes on with the run when it is broken off. */
  goOnWith: string
}

/**
 * Runs one export to its end and returns its report. The workers run in this process, unless another
 * process works on this warehouse already: then the run is handed to that one and followed.
 *
 * @throws CoinlakeError of every kind; the signal's reason when it is aborted
 */
export async function runExport(
  effects: Effects,
  request: ExportRequest,
  renderer: RunRenderer,
  signal: AbortSignal,
): Promise<RunReport> {
  const { config, thread } = request
  return closingAfter(async (defer) => {
    if (thread !== undefined) defer(() => thread.release())
    // Before anything is made or started: a run without a key can do nothing.
    const keys = configKeys(config)
    requireAlerts(config)
    const order = orderOf(request, effects.clock)
    const paths = pathsOf(config)
    // A server takes half a second to start, the store a quarter, and what works on them half a second to
    // load: each beside the others.
    const unwanted = new AbortController()
    const connecting = connectClient(effects, unwanted.signal)
    let isAwaited = false
    // An error that ends the run before the connection is awaited gives the connection up: a process ends only when
    // nothing is under way in it, and a missing server is awaited for a minute.
    defer(() => {
      if (isAwaited) return
      unwanted.abort()
      void connecting.then(({ close }) => close()).catch(() => undefined)
    })
    connecting.catch(() => undefined)
    // Its tables are made by threads of the engine while this one loads modules.
    const taking = takeWarehouse(
      config.warehouseDir,
      () => openFor(effects, request, renderer),
      signal,
    )
    defer(async () => await (await taking.catch(() => null))?.warehouse?.close())
    taking.catch(() => undefined)
    if (livingWorker(config.warehouseDir) === null) await import('./host-workers.ts')
    const { warehouse, other } = await taking
    const codeId = workflowsId()
    if (other !== null) {
      if (other.workflowsId !== codeId) throw workerOfAnotherVersion(other)
      renderer.note(`process ${other.pid} works on this warehouse: the run goes there`)
    }
    const warnOf = (): Promise<void> => warnOfIds(effects, { order, warehouse, paths }, renderer)
    // Before a call is spent.
    if (warehouse !== null) await warnOf()
    const warehouseId = warehouseIdOf(config)
    const { workflows, ...queues } = queueNames({ warehouseId, workflowsId: codeId })
    const orderId = await writeOrder(paths.ordersDir, { ...order, byHand: true })
    const { stderr, clock, env, cwd } = effects
    const log = openRunLog({ logsDir: paths.logsDir, log: config.log, stderr })
    renderer.step('connecting to Temporal ...')
    isAwaited = true
    const { client, engine, close } = await connecting
    defer(close)
    const doing = warehouse === null ? 'following the run' : 'starting workers'
    renderer.step(`${doing} on ${engine.describe()} ...`)
    const note = (text: string): void => renderer.note(text)
    const threaded = thread === undefined ? {} : { thread }
    const hosted =
      warehouse === null
        ? null
        : await (
            await import('./host-workers.ts')
          ).hostWorkers({
            config,
            clock,
            env,
            engine,
            warehouse,
            log,
            say: note,
            cwd,
            ...threaded,
          })
    if (hosted !== null) defer(hosted.close)
    const started = await startRun(client, {
      workflowId: exportWorkflowId(warehouseId),
      taskQueue: workflows,
      input: exportInput(request, orderId, queues),
      workflowsId: codeId,
      lostAfterMs: engine.lostAfterMs,
    })
    await noteBegunRun(paths, { runId: started.runId, goOnWith: request.goOnWith })
    // Not earlier: a command that reads it hands its run to these workers, and would block their own run.
    if (warehouse !== null) {
      defer(
        await claimWarehouse(config.warehouseDir, {
          orders: 'backfill',
          workflowsId: codeId,
          version: coinlakeVersion,
          keyIds: keys.map(({ keyId }) => keyId),
        }),
      )
    } else {
      // The other process works meanwhile, so the run does not wait for these modules.
      const { watchFollowed } = await import('../watch/watch-followed.ts')
      const watch = watchFollowed(client, paths, { config, clock, env, log, say: note })
      defer(() => watch.close())
      const warning = warnOf()
      warning.catch(() => undefined)
      defer(() => warning)
    }
    log.info({ runId: started.runId, orderId }, started.isAttached ? 'attached' : 'started')
    if (started.isAttached) renderer.note(`going on with run ${started.runId}`)
    // Workers that fail take the run's only hands away: their error is the better message.
    const handless = new AbortController()
    hosted?.workers.run.catch((error: unknown) => handless.abort(error))
    const allowed = followAllowedRate(
      client,
      keys.map(({ keyId }) => keyId),
    )
    defer(() => allowed.close())
    const report = await followRun(
      started.handle,
      {
        onProgress: (progress) => renderer.progress(progress, allowed.now()),
        onSilence: (silentMs) => renderer.note(silenceText(silentMs)),
      },
      AbortSignal.any([signal, handless.signal]),
    )
    // Of a lake another worker may have ended it, with the report in a folder of its own.
    forgetBegunRun(paths)
    log.info({ runId: report.runId, verdict: report.verdict }, 'ended')
    return report
  })
}

function orderOf({ config, refetch }: ExportRequest, clock: Effects['clock']): Order {
  const wanted = wantedFromConfig(config, datasets, clock)
  return refetch === true ? { wanted: onlyHistories(wanted), refetch } : { wanted }
}

async function warnOfIds(
  { clock }: Effects,
  at: { order: Order; warehouse: OpenWarehouse | null; paths: WarehousePaths },
  renderer: RunRenderer,
): Promise<void> {
  const { order, warehouse, paths } = at
  const { openLedger } = await import('../ledger/open-ledger.ts')
  const opened = warehouse === null ? await openLedger(paths, clock).catch(() => null) : null
  const rows = (sql: string) =>
    warehouse?.store.query(sql) ?? opened?.rows(sql) ?? Promise.resolve([])
  const warnings = await doubtfulCoins(rows, order.wanted)
  await opened?.close()
  for (const text of warnings) renderer.note(`warning: ${text}`)
}

function silenceText(silentMs: number): string {
  return `no worker has answered for ${approximateDuration(silentMs)}: start \`coinlake worker\` again, or end this and run the same backfill`
}

async function openFor(
  effects: Effects,
  { config, isAfresh }: ExportRequest,
  renderer: RunRenderer,
): Promise<OpenWarehouse> {
  const { openWarehouse } = await import('./open-warehouse.ts')
  const tell = (text: string): void => renderer.note(text)
  return await openWarehouse(config, effects.clock, tell, { isAfresh: isAfresh === true })
}

function exportInput(
  { config, kind }: ExportRequest,
  orderId: string,
  queues: RunQueues,
): ExportInput {
  const { every } = config.publish
  const rhythm = every === 'end' ? {} : { publishEveryMs: every }
  return { runId: newRunId(Date.now()), orderId, queues, ...rhythm, kind }
}

function workerOfAnotherVersion({ pid, version }: LivingWorker): WarehouseBusyError {
  const other =
    version === undefined ? 'an older coinlake' : `coinlake ${version} with other workflows`
  return new WarehouseBusyError(
    `process ${pid} works on this warehouse and is ${other}; this is coinlake ${coinlakeVersion}`,
    {
      code: 'WORKER_OF_ANOTHER_VERSION',
      hint: 'Stop that process and start it again with this version, or give the order with its version.',
    },
  )
}

/** The wanted datasets that hold a history. */
function onlyHistories(wanted: readonly WantedDataset[]): WantedDataset[] {
  const kindOf = new Map(datasets.map(({ name, kind }) => [name, kind]))
  return wanted.filter(({ dataset }) => HISTORIES.includes(kindOf.get(dataset) ?? ''))
}
