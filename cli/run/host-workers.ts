import type { Logger } from 'pino'
import { createFetchActivities, createStoreActivities } from '../../activities/create-activities.ts'
import type { Config } from '../../config/config.ts'
import { warehouseIdOf } from '../../config/warehouse-paths.ts'
import type { MetricsConfig } from '../../config/settings/read-watching.ts'
import { runtimeMeter } from '../../engine/runtime.ts'
import { otherRuns } from '../../engine/schedules/other-runs.ts'
import { queueNames } from '../../engine/queues.ts'
import { workflowBundle, workflowsId } from '../../engine/workflow-bundle.ts'
import { startWorkers } from '../../engine/workers.ts'
import type { WorkflowThread } from '../../engine/workflow-thread.ts'
import type { Effects } from '../effects.ts'
import { coinlakeVersion } from '../version.ts'
import { lookAtRuns } from '../watch/look-at-runs.ts'
import { runMetrics, type KeySample } from '../watch/run-metrics.ts'
import { watchProcess } from '../watch/watch-process.ts'
import { closeAll } from './closing-after.ts'
import { sourceKeys } from './source-keys.ts'
import type { ConnectedClient } from './connect-client.ts'
import { openKey } from './open-key.ts'
import { keyMonths } from './key-months.ts'
import { callsOfSchedules, monthReserve } from './month-reserve.ts'
import type { OpenWarehouse } from './open-warehouse.ts'
import { engineLog } from './run-log.ts'
import { shareBudget } from './share-budget.ts'

interface HostOptions extends Omit<ConnectedClient, 'close'> {
  config: Config
  warehouse: OpenWarehouse
  thread?: WorkflowThread | undefined
  log: Logger
  say: (text: string) => void
  tellRun?: (line: string) => void
}

/** Most batches at once, so that one begins while another ends. `source.concurrency` limits the pages of all. */
const MAX_BATCHES = 2

function noMetricsText(metrics: MetricsConfig): string {
  if (metrics.kind === 'otlp') return 'metrics are not sent: check metrics.otlp'
  const { host, port } = metrics
  return `metrics are not served at ${host}:${port}: is the port taken? End the other program, or set metrics.prometheus to a free port`
}

/**
 * Starts all workers of one machine in this process: workflows, budgets, loads, and fetches with every configured key.
 * Loads need the warehouse open in this process.
 *
 * @throws ConfigError CONFIG_NO_KEY, CONFIG_NO_ALERT_TARGET; EngineError
 */
export async function hostWorkers(
  { clock, env, cwd }: Pick<Effects, 'clock' | 'env' | 'cwd'>,
  options: HostOptions,
) {
  const { config, client, engine, warehouse, thread, log, say, tellRun } = options
  const { paths, stage, store, publications } = warehouse
  const isReserveSaid = config.source.monthlyReserve !== null
  const scheduled = isReserveSaid
    ? null
    : await callsOfSchedules(config, { clock, env, cwd, ledger: store })
  const reserveOf = monthReserve(config, scheduled)
  const keys = sourceKeys(config).map((key) => openKey(config.source, key, env, reserveOf))
  const bundle = await workflowBundle({ env })
  const ofEngine = engineLog(log)
  const nativeConnection = await engine.connectNative(ofEngine, config.metrics)
  const meter = runtimeMeter()
  if (config.metrics !== null && meter === null) {
    say(`warning: ${noMetricsText(config.metrics)} (state/logs of the warehouse has the reason)`)
  }
  const monthOf = new Map<string, number>()
  const samples = (): KeySample[] =>
    keys.map(({ keyId, pacer }) => {
      const { monthlyCalls: ceiling } = config.source
      const used = monthOf.get(keyId)
      const month = ceiling === null || used === undefined ? null : { used, ceiling }
      return { keyId, usage: pacer.usage(), month }
    })
  const metrics = meter === null ? null : runMetrics(meter)
  const ofProcess = { config, clock, env, warehouse, log, say, tellRun, metrics }
  const watch = watchProcess({
    ...ofProcess,
    keys: samples,
    runs: {
      findOpen: () => lookAtRuns(client, config),
      surroundings: async () => ({
        waiting: keys.reduce((sum, { pacer }) => sum + pacer.usage().waiting, 0),
        hasRoom: await stage.requireRoom().then(
          () => true,
          () => false,
        ),
      }),
    },
  })
  const batches = Math.min(MAX_BATCHES, config.source.concurrency)
  const fetch = createFetchActivities({
    clock,
    config,
    stage,
    stageDir: paths.stageDir,
    keys,
    pagesInFlight: Math.ceil(config.source.concurrency / batches),
    observe: watch.observe,
  })
  const warehouseId = warehouseIdOf(config)
  const codeId = workflowsId()
  const stored = { ...paths, clock, config, stage, store, publications, coinlakeVersion }
  const ofStore = { ...stored, otherRuns: otherRuns(client, warehouseId, codeId) }
  const load = createStoreActivities(ofStore, watch.observe)
  const workers = await startWorkers({
    nativeConnection,
    namespace: engine.namespace,
    roles: ['workflows', 'budget', 'load', 'fetch'],
    maxBatches: batches,
    lostAfterMs: engine.lostAfterMs,
    queues: queueNames({ warehouseId, workflowsId: codeId }),
    activities: { fetch, load },
    workflowBundle: bundle,
    ...(thread === undefined ? {} : { thread }),
  })
  const months = await keyMonths(config, (sinceMs) => store.callsSince(sinceMs), reserveOf)
  const budgets = keys.map((key) => {
    const { used, ceiling, rate: learnedRate } = months.find(({ keyId }) => keyId === key.keyId)!
    const onUsed = (calls: number): void => void monthOf.set(key.keyId, calls)
    const known = { ceiling, reserveOf, used, learnedRate }
    return shareBudget({ client, engine, warehouse, key, ...known, onUsed, log: ofEngine })
  })
  return {
    workers,
    /** Raises the alert of a schedule that the server has lost. */
    alertScheduleGone: watch.alertScheduleGone,
    /** Lets running activities finish, then frees the connections. */
    close: (): Promise<void> =>
      closeAll([
        // Shares are returned after the last call, and before the worker of the budgets stops.
        () => workers.stopFetching(),
        async () => void (await Promise.all(budgets.map((budget) => budget.close()))),
        () => workers.shutdown(),
        () => watch.close(),
        () => nativeConnection.close(),
        async () => void (await Promise.all(keys.map(({ client: source }) => source.close()))),
      ]),
  }
}
