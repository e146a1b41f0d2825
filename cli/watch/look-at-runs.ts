import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import type { Config } from '../../config/config.ts'
import { warehouseIdOf } from '../../config/warehouse-paths.ts'
import { queueNames } from '../../engine/queues.ts'
import { askProgress, findOpenRuns } from '../run/open-run.ts'
import type { RunLook } from './stall-watch.ts'

/** A worker answers within milliseconds, or is not there. */
const ANSWER_MS = 5_000
/** An idle poller asks again about once a minute. */
const POLLED_WITHIN_MS = 90_000

const { TaskQueueType } = proto.temporal.api.enums.v1
const KINDS = {
  workflow: TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  activity: TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
}
type Kind = keyof typeof KINDS

/** The open runs of a warehouse, how far each is, and which of its queues nobody polls. */
export async function lookAtRuns(
  client: Client,
  config: Config,
  answerMs = ANSWER_MS,
): Promise<RunLook[]> {
  const runs = await client.withDeadline(Date.now() + answerMs, () => findOpenRuns(client, config))
  const warehouseId = warehouseIdOf(config)
  return Promise.all(
    runs.map(async (run) => {
      const { runId, schedule, workflowsId } = run
      const { workflows, fetch, load } = queueNames({ warehouseId, workflowsId })
      const queues: [string, Kind][] = [
        [workflows, 'workflow'],
        [fetch, 'activity'],
        [load, 'activity'],
      ]
      const polled = await Promise.all(queues.map(([name, kind]) => isPolled(client, name, kind)))
      const unpolled = queues.flatMap(([name], place) => (polled[place] === true ? [] : [name]))
      return { runId, schedule, progress: await askProgress(run, answerMs), unpolled }
    }),
  )
}

async function isPolled(client: Client, name: string, kind: Kind): Promise<boolean> {
  const { namespace } = client.options
  const { pollers } = await client.withDeadline(Date.now() + ANSWER_MS, () =>
    client.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: KINDS[kind],
    }),
  )
  const sinceS = (Date.now() - POLLED_WITHIN_MS) / 1_000
  return (pollers ?? []).some(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) > sinceS)
}
