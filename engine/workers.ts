import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker'
import type { FetchActivities, StoreActivities } from '../activities/activity-types.ts'
import { HEARTBEAT_EVERY_MS } from '../activities/as-activity.ts'
import { budgetQueue, type QueueNames } from './queues.ts'
import { startWorkflowThread, type WorkflowThread } from './workflow-thread.ts'

/** The roles of a process; `load` only where the store is open. */
export type WorkerRole = 'workflows' | 'budget' | 'fetch' | 'load'

export interface WorkerParts {
  nativeConnection: NativeConnection
  namespace: string
  queues: QueueNames
  roles: readonly WorkerRole[]
  /** Needed by the roles of the same name. */
  activities: {
    fetch?: FetchActivities
    load?: StoreActivities
  }
  /** Most batches that this process fetches at once. */
  maxBatches: number
  lostAfterMs: number
  /** Needed by the roles `workflows` and `budget`: from `workflowBundle`. */
  workflowBundle?: { codePath: string }
  /** A thread with that bundle, which its owner releases. Absent: startWorkers starts one. */
  thread?: WorkflowThread
}

export type RunningWorkers = Awaited<ReturnType<typeof startWorkers>>

/** A shutdown waits this long for a batch. A silent request times out earlier, unless the settings say otherwise. */
const FETCH_GRACE_MS = 60_000
/** A shutdown waits this long for a load or a publication. */
const LOAD_GRACE_MS = 15 * 60_000
/** One writer, because the store is one file. */
const LOAD_SLOTS = 1

type RoleOptions = Omit<WorkerOptions, 'connection' | 'namespace'>

function roleOptions(role: WorkerRole, parts: WorkerParts): RoleOptions {
  const { activities, queues, workflowBundle } = parts
  if (role === 'workflows' || role === 'budget') {
    return {
      taskQueue: role === 'budget' ? budgetQueue : queues.workflows,
      workflowBundle: workflowBundle!,
      enableNonLocalActivities: false,
      stickyQueueScheduleToStartTimeout: parts.lostAfterMs,
      // Else the server would try the run's task again for ever, and nobody could go on with the run.
      workflowFailureErrorTypes: { '*': [], exportWarehouse: ['NondeterminismError'] },
    }
  }
  const slots = { fetch: parts.maxBatches, load: LOAD_SLOTS }[role]
  return {
    taskQueue: queues[role],
    activities: activities[role]!,
    maxConcurrentActivityTaskExecutions: slots,
    maxConcurrentActivityTaskPolls: slots,
    shutdownGraceTime: role === 'load' ? LOAD_GRACE_MS : FETCH_GRACE_MS,
    maxHeartbeatThrottleInterval: HEARTBEAT_EVERY_MS,
  }
}

/** Starts a worker for each role. They poll when this returns. @throws Error when the server has no such namespace */
export async function startWorkers(parts: WorkerParts) {
  const { nativeConnection: connection, namespace } = parts
  const options = parts.roles.map((role) => roleOptions(role, parts))
  const { thread, workflowBundle } = parts
  const hasWorkflows = options.some((role) => role.workflowBundle !== undefined)
  const own =
    hasWorkflows && thread === undefined && workflowBundle !== undefined
      ? startWorkflowThread(workflowBundle)
      : null
  let workers: Worker[]
  try {
    const RoleWorker = (await (own ?? thread)?.Worker) ?? Worker
    workers = await Promise.all(
      options.map((role) => RoleWorker.create({ connection, namespace, ...role })),
    )
  } finally {
    await own?.release()
  }
  const stop = (some: readonly Worker[]): void => {
    for (const worker of some) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  const runs = workers.map((worker) => worker.run())
  const run = Promise.all(runs).then(() => undefined)
  // A failed worker ends the others: with half of the workers a run would hang.
  run.catch(() => stop(workers))
  const fetching = parts.roles.indexOf('fetch')
  return {
    /** Resolves when all workers have ended, and rejects with the first error. */
    run,
    /** Lets the fetches under way finish, and takes no others. Never fails. */
    stopFetching: async (): Promise<void> => {
      stop(workers.slice(fetching, fetching + 1))
      await runs[fetching]?.catch(() => undefined)
    },
    /** Takes no new work, waits for the running activities, and ends. */
    shutdown: async (): Promise<void> => {
      stop(workers)
      await Promise.allSettled(runs)
      await run
    },
  }
}
