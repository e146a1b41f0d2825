import { basename } from 'node:path'
import {
  createControlActivities,
  createFetchActivities,
  createLoadActivities,
} from '../../activities/create-activities.ts'
import { createPacer } from '../../api/pacer.ts'
import { createSourceClient } from '../../api/client.ts'
import type { Clock } from '../../config/clock.ts'
import { apiRootUrl } from '../../config/base-url.ts'
import type { Config } from '../../config/config.ts'
import { requireKey } from '../../config/require-key.ts'
import { warehouseId } from '../../config/warehouse-paths.ts'
import type { Engine } from '../../engine/connect.ts'
import { keyId, queueNames } from '../../engine/queues.ts'
import type { QueueNames } from '../../engine/queues.ts'
import type { EngineLog } from '../../engine/runtime.ts'
import { setQueueCap } from '../../engine/set-queue-cap.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { startWorkers } from '../../engine/workers.ts'
import type { RunningWorkers } from '../../engine/workers.ts'
import { diskStage } from '../../stage/disk-stage.ts'
import type { DiskStage } from '../../stage/disk-stage.ts'
import { coinlakeVersion } from '../version.ts'
import type { OpenWarehouse } from './open-warehouse.ts'
import { shareBudget } from './share-budget.ts'

const NO_SHARE = { calls: 0, perMs: 1 }

export interface HostedWorkers {
  workers: RunningWorkers
  queues: QueueNames
  /** Lets running activities finish, then frees the connections. */
  close: () => Promise<void>
}

/** The queues a configuration works on: one fetch queue per key, one load queue per warehouse. */
export function queuesOf(config: Config): QueueNames {
  const key = requireKey(config)
  return queueNames({
    keyId: keyId(key === null ? null : key.reveal(), config.source.baseUrl),
    warehouseId: warehouseId(config.warehouseDir),
  })
}

/** Names the workflow code of this coinlake: a run that other code began cannot go on with it. */
export async function workflowsIdOf(env: Record<string, string | undefined>): Promise<string> {
  const { codePath } = await workflowBundle({ env })
  return basename(codePath, '.js')
}

/**
 * Starts all workers of one machine in this process: workflows, control, fetch, and the load worker,
 * which is why the warehouse must be open here.
 *
 * @throws ConfigError CONFIG_NO_KEY; EngineError
 */
export async function hostWorkers(
  config: Config,
  clock: Clock,
  env: Record<string, string | undefined>,
  engine: Engine,
  warehouse: OpenWarehouse,
  log: EngineLog,
): Promise<HostedWorkers> {
  const key = requireKey(config)
  const { auth, dateFormat } = config.source.profile
  const queues = queuesOf(config)
  const budgetKey = keyId(key === null ? null : key.reveal(), config.source.baseUrl)
  const pacer = createPacer({ rate: config.source.rate })
  // The fetch queue is that of the key: work of others comes before the budget has given us a share.
  pacer.lease(NO_SHARE)
  const client = createSourceClient({
    rootUrl: apiRootUrl(config.source),
    auth: key === null ? null : { ...auth, key },
    dateFormat,
    pacer,
    timeoutMs: config.source.timeoutMs,
    caFile: config.source.caFile,
    concurrency: config.source.concurrency,
    version: coinlakeVersion,
    env,
  })
  const stages = new Map<string, DiskStage>([[warehouse.paths.stageDir, warehouse.stage]])
  const stageAt = (dir: string): DiskStage => {
    const stage = stages.get(dir) ?? diskStage({ dir, keep: config.stageKeep })
    stages.set(dir, stage)
    return stage
  }
  const { codePath } = await workflowBundle({ env })
  const nativeConnection = await engine.connectNative(log)
  const workers = await startWorkers({
    nativeConnection,
    namespace: engine.namespace,
    queues,
    roles: ['workflows', 'control', 'fetch', 'load'],
    activities: {
      control: createControlActivities({
        setQueueCap: (taskQueue, callsPerSecond) =>
          setQueueCap(
            { connection: engine.connection, namespace: engine.namespace, taskQueue },
            callsPerSecond,
            `coinlake ${coinlakeVersion}: the rate of the key`,
          ),
      }),
      fetch: createFetchActivities({ clock, config, client, stageAt }),
      load: createLoadActivities(
        {
          clock,
          config,
          stage: warehouse.stage,
          stageDir: warehouse.paths.stageDir,
          store: warehouse.store,
          publications: warehouse.publications,
          coinlakeVersion,
        },
        { ordersDir: warehouse.paths.ordersDir, runsDir: warehouse.paths.runsDir },
      ),
    },
    concurrency: config.source.concurrency,
    bundle: { codePath },
  })
  const workflowsId = basename(codePath, '.js')
  const link = { engine, warehouse, pacer, keyId: budgetKey, queues, workflowsId, log }
  const budget = await shareBudget(link)
  return {
    workers,
    queues,
    close: async () => {
      // While the workers can still answer for the budget.
      await budget.close()
      await workers.shutdown()
      await nativeConnection.close()
      await client.close()
    },
  }
}
