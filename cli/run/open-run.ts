import { setTimeout as wait } from 'node:timers/promises'
import { WorkflowNotFoundError, type Client, type WorkflowHandle } from '@temporalio/client'
import proto from '@temporalio/proto'
import type { Config } from '../../config/config.ts'
import { warehouseIdOf } from '../../config/warehouse-paths.ts'
import { exportWorkflowId, PROGRESS_MEMO } from '../../workflows/messages.ts'
import type { RunProgress } from '../../workflows/messages.ts'
import type { exportWarehouse } from '../../workflows/export-warehouse.ts'
import { syncExportId } from '../../workflows/sync-messages.ts'
import { signOf, signsOfWorker } from './signs-of-worker.ts'
import type { WorkerSigns } from './signs-of-worker.ts'

const { PendingActivityState } = proto.temporal.api.enums.v1
const IN_HAND: ReadonlySet<unknown> = new Set([
  PendingActivityState.PENDING_ACTIVITY_STATE_STARTED,
  PendingActivityState.PENDING_ACTIVITY_STATE_CANCEL_REQUESTED,
])
const LOOK_AGAIN_MS = 250

/** The reason on the server when a command ends a run of its folder and plans anew, so that followers go on with it. */
export const RETIRED = 'broken off; another plan begins'

export type RunHandle = WorkflowHandle<typeof exportWarehouse>

export interface OpenRun {
  handle: RunHandle
  runId: string
  orderId: string
  workflowsId: string
  /** The schedule of its window; null = begun by hand. */
  schedule: string | null
  /** null = no worker has begun its present history. */
  progress: RunProgress | null
  signs: WorkerSigns
  /** Task queues of the activities that a worker executes now. */
  inHand: readonly string[]
}

/** The open runs of a warehouse: first the one begun by hand, then those of its schedules. */
export async function findOpenRuns(client: Client, config: Config): Promise<OpenRun[]> {
  const warehouse = warehouseIdOf(config)
  const look = (id: string, schedule: string | null): Promise<OpenRun | null> =>
    lookAt(client.workflow.getHandle<typeof exportWarehouse>(id), schedule)
  const runs = await Promise.all([
    look(exportWorkflowId(warehouse), null),
    ...Object.keys(config.schedules).map((name) => look(syncExportId(warehouse, name), name)),
  ])
  return runs.filter((run) => run !== null)
}

/** A run as the server shows it; null = not open. */
export async function lookAt(handle: RunHandle, schedule: string | null): Promise<OpenRun | null> {
  try {
    const { status, memo, raw } = await handle.describe()
    if (status.name !== 'RUNNING') return null
    return {
      handle,
      runId: memoText(memo, 'runId'),
      orderId: memoText(memo, 'orderId'),
      workflowsId: memoText(memo, 'workflowsId'),
      schedule,
      progress: memoProgress(memo),
      signs: signsOfWorker(raw),
      inHand: (raw.pendingActivities ?? []).flatMap(({ state, activityOptions }) => {
        const queue = activityOptions?.taskQueue?.name
        return IN_HAND.has(state) && queue != null ? [queue] : []
      }),
    }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null
    throw error
  }
}

export function memoProgress(memo: Record<string, unknown> | undefined): RunProgress | null {
  return (memo?.[PROGRESS_MEMO] as RunProgress | undefined) ?? null
}

export function memoText(memo: Record<string, unknown> | undefined, name: string): string {
  const value = memo?.[name]
  return typeof value === 'string' ? value : 'unknown'
}

/**
 * The progress of the first of the open runs; null = no worker works on it, because none gave a sign within
 * `withinMs`. A sign on another run of the warehouse counts: its worker may be busy with that one.
 */
export async function attendedProgress(
  runs: readonly OpenRun[],
  look: () => Promise<readonly OpenRun[]>,
  withinMs: number,
): Promise<RunProgress | null> {
  const deadlineMs = performance.now() + withinMs
  const before = heardAtMs(runs)
  let seen = runs
  let run = runs[0]
  while (run !== undefined) {
    const { runId, progress, signs } = run
    const now = { ...signs, heardAtMs: heardAtMs(seen) }
    const sign = signOf(now, { ...signs, heardAtMs: before }, Date.now())
    if (progress !== null && sign !== 'silent') return progress
    if (performance.now() >= deadlineMs) return null
    await wait(LOOK_AGAIN_MS)
    seen = await look()
    run = seen.find((one) => one.runId === runId)
  }
  // The run has ended meanwhile.
  return runs[0]?.progress ?? null
}

function heardAtMs(runs: readonly OpenRun[]): number {
  return Math.max(0, ...runs.map(({ signs }) => signs.heardAtMs))
}
