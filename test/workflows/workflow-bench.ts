import { randomUUID } from 'node:crypto'
import { Client } from '@temporalio/client'
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client'
import { startRun } from '../../cli/run/start-run.ts'
import type { StartedRun } from '../../cli/run/start-run.ts'
import { connectEngine } from '../../engine/connect.ts'
import { queueNames } from '../../engine/queues.ts'
import { describeQueue } from '../../engine/set-queue-cap.ts'
import { workflowBundle } from '../../engine/workflow-bundle.ts'
import { joinWorkers, startWorkers } from '../../engine/workers.ts'
import { budgetWorkflowId } from '../../workflows/budget.ts'
import type { budget } from '../../workflows/budget.ts'
import type { exportLane } from '../../workflows/export-lane.ts'
import { noTotals } from '../../workflows/messages.ts'
import type { ExportInput, LaneInput } from '../../workflows/messages.ts'
import { newBudget } from '../../workflows/steer-budget.ts'
import { queueOfKey } from './fake-warehouse.ts'
import type { syncWarehouse } from '../../workflows/sync-warehouse.ts'
import type { FakeWarehouse } from './fake-warehouse.ts'

/** coinlake's own workflows on a real server, over activities of the caller's. */
export interface WorkflowBench {
  client: Client
  workflowId: string
  /** Gives an order; the same order attaches. */
  start(order?: { orderId?: string; workflowsId?: string }): Promise<StartedRun>
  /** Starts a lane by itself. */
  startLane(
    input: Partial<LaneInput>,
  ): Promise<WorkflowHandleWithFirstExecutionRunId<typeof exportLane>>
  /** Starts the window of a schedule, which makes the run `export/<warehouse>/<schedule>`. */
  startWindow(
    schedule: string,
  ): Promise<WorkflowHandleWithFirstExecutionRunId<typeof syncWarehouse>>
  /** Starts the budget of the bench's key. */
  startBudget(): Promise<WorkflowHandleWithFirstExecutionRunId<typeof budget>>
  /** Pages that wait on the fetch queue, by priority. */
  backlog(): Promise<Record<number, number>>
  close(): Promise<void>
}

export const BENCH_CONCURRENCY = 4

export interface BenchOptions {
  address: string
  warehouse: FakeWarehouse
  lanes?: number
  inFlight?: number
  /** How many keys a run has. Default 1. */
  keys?: number
  /** How often a run publishes while it goes on. Default: at its end only. */
  publishEveryMs?: number
  /** How long a worker may be silent. Default: as for everybody. */
  lostAfterMs?: number
}

/** Queues of its own, so that tests on one server never meet. */
export async function openBench(options: BenchOptions): Promise<WorkflowBench> {
  const { address, warehouse, lanes = 2, inFlight = 2, keys = 1, publishEveryMs } = options
  const COINLAKE_ENGINE_LOST_AFTER_MS = options.lostAfterMs?.toString()
  const engine = await connectEngine({
    env: { TEMPORAL_ADDRESS: address, COINLAKE_ENGINE_LOST_AFTER_MS },
  })
  const nativeConnection = await engine.connectNative(() => undefined)
  const id = randomUUID().slice(0, 8)
  const queues = { ...queueNames({ keyId: id, warehouseId: id }), workflows: `workflows-${id}` }
  queues.control = `control-${id}`
  const fetch = Array.from({ length: keys }, (_, key) => ({
    keyId: `key-${key}`,
    queue: queueOfKey(id, key),
  }))
  queues.fetch = queueOfKey(id, 0)
  const parts = {
    nativeConnection,
    namespace: engine.namespace,
    activities: warehouse.activities,
    concurrency: BENCH_CONCURRENCY,
    lostAfterMs: engine.lostAfterMs,
  }
  const bundle = await workflowBundle({ env: process.env })
  const workers = joinWorkers([
    await startWorkers({ ...parts, queues, roles: ['workflows', 'control', 'load'], bundle }),
    ...(await Promise.all(
      fetch.map(({ queue }) =>
        startWorkers({ ...parts, queues: { ...queues, fetch: queue }, roles: ['fetch'] }),
      ),
    )),
  ])
  const client = new Client({ connection: engine.connection, namespace: engine.namespace })
  const workflowId = `export/${id}`
  const common = {
    stageDir: '/warehouse/stage',
    queues: {
      fetch,
      load: queues.load,
      control: queues.control,
    },
    lanes,
    inFlight,
    kind: 'backfill',
    ...(publishEveryMs === undefined ? {} : { publishEveryMs }),
  } as const
  return {
    client,
    workflowId,
    start: ({ orderId = 'order-1', workflowsId = 'code-1' } = {}) => {
      const runId = `run-${randomUUID().slice(0, 4)}`
      const input: ExportInput = { ...common, runId, orderId }
      const taskQueue = queues.workflows
      return startRun(client, {
        workflowId,
        taskQueue,
        input,
        workflowsId,
        lostAfterMs: engine.lostAfterMs,
      })
    },
    startLane: (input) =>
      client.workflow.start<typeof exportLane>('exportLane', {
        workflowId: `${workflowId}/lane-of-${input.kind ?? common.kind}`,
        taskQueue: queues.workflows,
        args: [
          {
            ...common,
            runId: 'run-1',
            lane: 0,
            lanes: 1,
            after: -1,
            paused: false,
            done: noTotals,
            lostKeys: [],
            ...input,
          },
        ],
      }),
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
        taskQueue: queues.workflows,
        args: [{ queues: { fetch: queues.fetch, control: queues.control }, state: newBudget }],
      }),
    backlog: async () =>
      (await describeQueue({ ...engine, taskQueue: queues.fetch })).backlogByPriority,
    close: async () => {
      await workers.shutdown()
      await nativeConnection.close()
      await engine.close()
    },
  }
}
