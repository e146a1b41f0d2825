import { randomBytes } from 'node:crypto'
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import type { Client } from '@temporalio/client'
import { WarehouseBusyError } from '../../sinks/sink-error.ts'
import { memoText, RETIRED, type RunHandle } from './open-run.ts'
import type { ExportInput } from '../../workflows/messages.ts'
import type { exportWarehouse } from '../../workflows/export-warehouse.ts'

interface RunStart {
  workflowId: string
  taskQueue: string
  input: ExportInput
  /** The step of the market's time in which the run is planned. */
  planStep: string
  workflowsId: string
  /** How long a worker may be silent before another goes on with its work (engine/engine-env.ts). */
  lostAfterMs: number
}

export interface StartedRun {
  handle: RunHandle
  runId: string
  /** Whether the same order was already running, and this is its run. */
  isAttached: boolean
  /** false: the attached run was planned in an earlier step, and lacks the newest points. */
  isUpToNow: boolean
}

/** The id of a run: its time, and 6 hex digits that separate two of one second. */
export function newRunId(nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:]/g, '').slice(0, 15)
  return `${stamp}-${randomBytes(3).toString('hex')}`
}

/**
 * Starts the export of a warehouse, or attaches to the running export of the same order.
 *
 * @throws WarehouseBusyError RUN_IN_PROGRESS when another order is running.
 */
export async function startRun(
  client: Client,
  { workflowId, taskQueue, input, planStep, workflowsId, lostAfterMs }: RunStart,
): Promise<StartedRun> {
  await retireForeignRun(client, workflowId, workflowsId)
  // The handle of `start` has the first history, which the server may forget while a long run goes on in a later one.
  const handle = client.workflow.getHandle<typeof exportWarehouse>(workflowId)
  try {
    await client.workflow.start<typeof exportWarehouse>('exportWarehouse', {
      workflowId,
      taskQueue,
      args: [input],
      memo: { orderId: input.orderId, runId: input.runId, workflowsId, planStep },
      staticSummary: `coinlake run ${input.runId}`,
      workflowTaskTimeout: lostAfterMs,
    })
    return { handle, runId: input.runId, isAttached: false, isUpToNow: true }
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
  const { memo } = await handle.describe()
  const runId = memoText(memo, 'runId')
  if (memoText(memo, 'orderId') !== input.orderId) {
    throw new WarehouseBusyError(`another export of this warehouse is running: run ${runId}`, {
      code: 'RUN_IN_PROGRESS',
      hint: 'Look at it with `coinlake status`; wait for its end or end it with `coinlake cancel`, then run this command again.',
    })
  }
  const isUpToNow = memoText(memo, 'planStep') === planStep
  return { handle, runId, isAttached: true, isUpToNow }
}

/** Ends an open run of other workflow code, because our code would replay it and hang. @returns whether there was one */
export async function retireForeignRun(
  client: Client,
  workflowId: string,
  workflowsId: string,
): Promise<boolean> {
  const isForeign = (memo: Record<string, unknown> | undefined): boolean =>
    memoText(memo, 'workflowsId') !== workflowsId
  const why = 'begun by other workflow code; planned again from the ledger'
  return (await retireRun(client, workflowId, why, isForeign)) !== null
}

/**
 * Ends an open run of another order or of an earlier step. Workers of this process would fetch for the one, and the plan
 * of the other lacks the newest points. Only for the process that holds the store: then no other process of this folder
 * works on that run.
 *
 * @param begunId the last run that this folder began. On a shared server another machine's folder of the same path has
 *   the same workflow id, and may have the same orders.
 * @returns its id; null = there was no such run
 */
export async function retireOldPlan(
  client: Client,
  workflowId: string,
  { orderId, planStep, begunId }: Record<'orderId' | 'planStep' | 'begunId', string>,
): Promise<string | null> {
  return await retireRun(client, workflowId, RETIRED, (memo) => {
    const isOld = memoText(memo, 'orderId') !== orderId || memoText(memo, 'planStep') !== planStep
    return isOld && memoText(memo, 'runId') === begunId
  })
}

/** Ends the schedule's parent workflow, too. Nothing is lost: the next plan reads the ledger, and the stage has the pages. */
async function retireRun(
  client: Client,
  workflowId: string,
  why: string,
  isRetired: (memo: Record<string, unknown> | undefined) => boolean,
): Promise<string | null> {
  const handle = client.workflow.getHandle(workflowId)
  try {
    const { status, memo, parentExecution } = await handle.describe()
    if (status.name !== 'RUNNING' || !isRetired(memo)) return null
    const window = parentExecution?.workflowId
    if (typeof window === 'string') await client.workflow.getHandle(window).terminate(why)
    // The run ends with its window, and may be gone already.
    await handle.terminate(why).catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    })
    return memoText(memo, 'runId')
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null
    throw error
  }
}
