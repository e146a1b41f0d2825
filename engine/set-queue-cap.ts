import { isGrpcServiceError } from '@temporalio/client'
import type { Connection } from '@temporalio/client'
import proto from '@temporalio/proto'
import { EngineError } from './engine-error.ts'

/** An activity queue of a namespace, reached over a client or a native connection. */
export interface QueueAddress {
  connection: Pick<Connection, 'workflowService'>
  namespace: string
  taskQueue: string
}

/** What the server says about an activity queue. */
export interface QueueState {
  /** The cap that holds, in starts a second; null when there is none. 0 is a pause. */
  callsPerSecond: number | null
  /** Tasks that wait, about: the server counts them anew every 5 s at most. */
  backlog: number
  /** The same by priority (1 first, 5 last). */
  backlogByPriority: Record<number, number>
  /** Processes (by host and pid) that have polled in the last minutes. */
  pollers: number
}

const ACTIVITY_QUEUE = proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY
const IDENTITY = 'coinlake'

/** gRPC's number for "the server knows no such call". */
const UNIMPLEMENTED = 12

/**
 * Sets the cap of an activity queue on the server: it holds for all workers together, within half a
 * second. 0 pauses the queue, null removes the cap.
 *
 * @throws EngineError TEMPORAL_TOO_OLD when the server cannot cap a queue.
 */
export async function setQueueCap(
  queue: QueueAddress,
  callsPerSecond: number | null,
  reason: string,
): Promise<void> {
  const rateLimit = callsPerSecond === null ? null : { requestsPerSecond: callsPerSecond }
  try {
    await queue.connection.workflowService.updateTaskQueueConfig({
      namespace: queue.namespace,
      taskQueue: queue.taskQueue,
      taskQueueType: ACTIVITY_QUEUE,
      identity: IDENTITY,
      updateQueueRateLimit: { rateLimit, reason },
    })
  } catch (error) {
    const status: number | null = isGrpcServiceError(error) ? error.code : null
    if (status !== UNIMPLEMENTED) throw error
    throw new EngineError(`this Temporal server cannot cap the queue ${queue.taskQueue}`, {
      code: 'TEMPORAL_TOO_OLD',
      hint: 'Use Temporal server 1.29 or newer, or unset TEMPORAL_ADDRESS to use a server of your own.',
      cause: error,
    })
  }
}

function count(value: unknown): number {
  return value === null || value === undefined ? 0 : Number(value)
}

/** What holds for an activity queue now: its cap, what waits, who polls. */
export async function describeQueue(queue: QueueAddress): Promise<QueueState> {
  const state = await queue.connection.workflowService.describeTaskQueue({
    namespace: queue.namespace,
    taskQueue: { name: queue.taskQueue },
    taskQueueType: ACTIVITY_QUEUE,
    reportStats: true,
    reportConfig: true,
  })
  const byPriority = Object.entries(state.statsByPriorityKey)
  return {
    callsPerSecond: state.config?.queueRateLimit?.rateLimit?.requestsPerSecond ?? null,
    backlog: count(state.stats?.approximateBacklogCount),
    backlogByPriority: Object.fromEntries(
      byPriority.map(([priority, stats]) => [priority, count(stats.approximateBacklogCount)]),
    ),
    pollers: state.pollers.length,
  }
}
