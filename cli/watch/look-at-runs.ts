import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import type { Config } from '../../config/config.ts'
import { warehouseIdOf } from '../../config/warehouse-paths.ts'
import { queueNames } from '../../engine/queues.ts'
import { findOpenRuns, type OpenRun } from '../run/open-run.ts'
import type { SeenRun } from './stall-watch.ts'

/** Longest wait for the server. */
const ANSWER_MS = 5_000
/** An idle poller polls about once a minute; a busy one only with a free slot. */
const POLLED_WITHIN_MS = 90_000

const { TaskQueueType } = proto.temporal.api.enums.v1
type QueueType = proto.temporal.api.enums.v1.TaskQueueType
const { TASK_QUEUE_TYPE_WORKFLOW: WORKFLOW, TASK_QUEUE_TYPE_ACTIVITY: ACTIVITY } = TaskQueueType

export async function lookAtRuns(
  client: Client,
  config: Config,
  { answerMs = ANSWER_MS, polledWithinMs = POLLED_WITHIN_MS } = {},
): Promise<SeenRun[]> {
  const runs = await client.withDeadline(Date.now() + answerMs, () => findOpenRuns(client, config))
  const warehouseId = warehouseIdOf(config)
  // The one slot for loads may be busy for minutes, also with another run.
  const inHand = new Set(runs.flatMap((run) => run.inHand))
  return Promise.all(
    runs.map(async (run) => {
      const { runId, schedule, workflowsId } = run
      const { workflows, fetch, load } = queueNames({ warehouseId, workflowsId })
      const unpolled: string[] = []
      for (const name of [workflows, fetch, load]) {
        if (inHand.has(name)) continue
        const kind = name === workflows ? WORKFLOW : ACTIVITY
        if (!(await isPolled(client, { name, kind, polledWithinMs }))) unpolled.push(name)
      }
      const progress = unpolled.includes(workflows) ? null : run.progress
      return { runId, schedule, progress, unpolled }
    }),
  )
}

/** Whether a worker has lately polled for a run's workflow. A run that waits or is paused shows no other sign. */
export function isWorkflowPolled(
  client: Client,
  config: Config,
  { workflowsId }: OpenRun,
): Promise<boolean> {
  const { workflows } = queueNames({ warehouseId: warehouseIdOf(config), workflowsId })
  return isPolled(client, { name: workflows, kind: WORKFLOW, polledWithinMs: POLLED_WITHIN_MS })
}

async function isPolled(
  client: Client,
  { name, kind, polledWithinMs }: { name: string; kind: QueueType; polledWithinMs: number },
): Promise<boolean> {
  const { namespace } = client.options
  const { pollers } = await client.withDeadline(Date.now() + ANSWER_MS, () =>
    client.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: kind,
    }),
  )
  const sinceS = (Date.now() - polledWithinMs) / 1_000
  return (pollers ?? []).some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) > sinceS)
}
