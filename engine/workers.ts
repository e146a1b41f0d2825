import { Worker } from '@temporalio/worker'
import type { NativeConnection, WorkerOptions } from '@temporalio/worker'
import type { FetchActivities, StoreActivities } from '../activities/activity-types.ts'
import { budgetQueue } from './queues.ts'
import type { QueueNames } from './queues.ts'
import { startWorkflowThread } from './workflow-thread.ts'
import type { WorkflowThread } from './workflow-thread.ts'

/** The roles of a process; `load` only where the store is open. */
export type WorkerRole = 'workflows' | 'budget' | 'fetch' | 'load'

/** Needed to start the workers of a process. */
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
  batches: number
  /** After this time another worker takes the workflows over from a silent one (lost-after.ts). */
  lostAfterMs: number
  /** Needed by the roles `workflows` and `budget`: from `workflowBundle`. */
  workflowBundle?: { codePath: string }
  /** A thread with that bundle, which its owner ends. Absent = the workers start one. */
  thread?: WorkflowThread
}

/** Workers that poll. */
export interface RunningWorkers {
  /** Settles when all have ended: after `shutdown`, or with the first error. */
  run: Promise<void>
  /** Takes no new work, lets running activities finish (a load: its transaction), and ends. */
  shutdown(): Promise<void>
}

/** At a shutdown a batch may take this long; the timeout of a page's request is shorter. */
const FETCH_GRACE_MS = 60_000
/** At a shutdown a load, or a publication of a whole warehouse, may take this long to finish. */
const LOAD_GRACE_MS = 15 * 60_000
/** One writer, because the store is one file. */
const LOAD_SLOTS = 1

type RoleOptions = Omit<WorkerOptions, 'connection' | 'namespace'>

function missing(role: WorkerRole): Error {
  return new Error(`worker role ${role} was asked for without its parts`)
}

/** The worker of a role: each queue has its own, with workflows or with activities. */
function roleOptions(role: WorkerRole, parts: WorkerParts): RoleOptions {
  const { activities, queues, workflowBundle } = parts
  if (role === 'workflows' || role === 'budget') {
    if (workflowBundle === undefined) throw missing(role)
    return {
      taskQueue: role === 'budget' ? budgetQueue : queues.workflows,
      workflowBundle,
      enableNonLocalActivities: false,
      stickyQueueScheduleToStartTimeout: parts.lostAfterMs,
    }
  }
  const needed = activities[role]
  if (needed === undefined) throw missing(role)
  const slots = { fetch: parts.batches, load: LOAD_SLOTS }[role]
  return {
    taskQueue: queues[role],
    activities: needed,
    maxConcurrentActivityTaskExecutions: slots,
    maxConcurrentActivityTaskPolls: slots,
    shutdownGraceTime: role === 'load' ? LOAD_GRACE_MS : FETCH_GRACE_MS,
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
  }
}

/** The SDK sends heartbeats at least this often. An activity learns of its cancellation by its heartbeats. */
const HEARTBEAT_MS = 400

/**
 * Starts the workers of this process, one for each role. The workers poll when this returns.
 *
 * @throws Error when a role lacks its parts or the server refuses (the namespace does not exist).
 */
export async function startWorkers(parts: WorkerParts): Promise<RunningWorkers> {
  const { nativeConnection: connection, namespace } = parts
  const options = parts.roles.map((role) => roleOptions(role, parts))
  const { thread, workflowBundle } = parts
  const hasWorkflows = options.some((role) => role.workflowBundle !== undefined)
  const own =
    hasWorkflows && thread === undefined && workflowBundle !== undefined
      ? startWorkflowThread(workflowBundle)
      : null
  const RoleWorker = (own ?? thread)?.Worker ?? Worker
  let workers: Worker[]
  try {
    workers = await Promise.all(
      options.map((role) => RoleWorker.create({ connection, namespace, ...role })),
    )
  } finally {
    await own?.release()
  }
  const stopAll = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  const runs = workers.map((worker) => worker.run())
  const run = Promise.all(runs).then(() => undefined)
  // A failed worker ends the others, because half a set of workers would leave a run hanging.
  run.catch(stopAll)
  return {
    run,
    shutdown: async () => {
      stopAll()
      await Promise.allSettled(runs)
      await run
    },
  }
}

/** Several sets of workers as one. The first set that fails ends the others. */
export function joinWorkers(sets: readonly RunningWorkers[]): RunningWorkers {
  const run = Promise.all(sets.map((set) => set.run)).then(() => undefined)
  const shutdown = async (): Promise<void> => {
    await Promise.allSettled(sets.map((set) => set.shutdown()))
    await run
  }
  run.catch(() => void shutdown().catch(() => undefined))
  return { run, shutdown }
}
