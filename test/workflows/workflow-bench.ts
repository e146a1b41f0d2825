import { randomUUID } from 'node:crypto'
import { Client, type WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client'
import { type StartedRun, startRun } from '../../cli/run/start-run.ts'
import { connectEngine } from '../../engine/connect.ts'
import { budgetQueue, queueNames, type QueueNames } from '../../engine/queues.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { startWorkers, type WorkerRole } from '../../engine/workers.ts'
import { type budget, budgetWorkflowId } from '../../workflows/budget.ts'
import type { ExportInput } from '../../workflows/messages.ts'
import { emptyBudget } from '../../workflows/steer-budget.ts'
import type { syncWarehouse } from '../../workflows/sync-warehouse.ts'
import type { FakeWarehouse } from './fake-warehouse.ts'

/** coinlake's own workflows on a real server, over activities of the caller's. */
export interface WorkflowBench {
  client: Client
  workflowId: string
  queues: QueueNames
  /** Gives an order; the same order attaches. */
  start(
    order?: { orderId?: string; workflowsId?: string } & Partial<ExportInput>,
    /** Of the run; default: the warehouse's own. */
    workflowId?: string,
  ): Promise<StartedRun>
  /** Starts the window of a schedule, which makes the run `export/<warehouse>/<schedule>`. */
  startWindow(
    schedule: string,
  ): Promise<WorkflowHandleWithFirstExecutionRunId<typeof syncWarehouse>>
  /** Starts the budget of the bench's key. */
  startBudget(): Promise<WorkflowHandleWithFirstExecutionRunId<typeof budget>>
  close(): Promise<void>
}

export interface BenchOptions {
  address: string
  warehouse: FakeWarehouse
  /** Batches that are fetched at once. Default 2. */
  batches?: number
  /** How often a run publishes while it goes on. Default: at its end only. */
  publishEveryMs?: number
  /** How long a worker may be silent. Default: as for everybody. */
  lostAfterMs?: number
  /** Default: all. */
  roles?: readonly WorkerRole[]
}

/** Queues of its own, so that tests on one server never meet. */
export async function openBench(options: BenchOptions): Promise<WorkflowBench> {
  const { address, warehouse, batches = 2, publishEveryMs } = options
  const COINLAKE_ENGINE_LOST_AFTER_MS = options.lostAfterMs?.toString()
  const engine = await connectEngine({
    env: { TEMPORAL_ADDRESS: address, COINLAKE_ENGINE_LOST_AFTER_MS },
  })
  const nativeConnection = await engine.connectNative(() => undefined)
  const id = randomUUID().slice(0, 8)
  const queues = queueNames({ warehouseId: id, workflowsId: 'code-1' })
  const workers = await startWorkers({
    nativeConnection,
    namespace: engine.namespace,
    activities: warehouse.activities,
    maxBatches: batches,
    lostAfterMs: engine.lostAfterMs,
    queues,
    roles: options.roles ?? ['workflows', 'budget', 'fetch', 'load'],
    workflowBundle: await workflowBundle({ env: process.env }),
  })
  const client = new Client({ connection: engine.connection, namespace: engine.namespace })
  const workflowId = `export/${id}`
  const common = {
    queues: { fetch: queues.fetch, load: queues.load },
    kind: 'backfill',
    ...(publishEveryMs === undefined ? {} : { publishEveryMs }),
  } as const
  return {
    client,
    workflowId,
    queues,
    start: (
      { orderId = 'order-1', workflowsId = 'code-1', ...facts } = {},
      ownWorkflowId = workflowId,
    ) => {
      const runId = `run-${randomUUID().slice(0, 4)}`
      const input: ExportInput = { ...common, runId, orderId, ...facts }
      const taskQueue = queues.workflows
      return startRun(client, {
        workflowId: ownWorkflowId,
        taskQueue,
        input,
        planStep: 'now',
        workflowsId,
        lostAfterMs: engine.lostAfterMs,
      })
    },
    startWindow: (schedule) => {
      const facts = { templateId: 'order-1', appliedFrom: 'host:file', definition: 'one' }
      return client.workflow.start<typeof syncWarehouse>('syncWarehouse', {
        workflowId: `sync/${id}/${schedule}`,
        taskQueue: queues.workflows,
        args: [{ ...facts, warehouseId: id, schedule, run: common }],
      })
    },
    startBudget: () =>
      client.workflow.start<typeof budget>('budget', {
        workflowId: budgetWorkflowId(id),
        taskQueue: budgetQueue,
        args: [{ state: emptyBudget }],
      }),
    close: async () => {
      await workers.shutdown()
      await nativeConnection.close()
      await engine.close()
    },
  }
}
