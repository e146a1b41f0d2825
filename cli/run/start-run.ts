import { randomBytes } from 'node:crypto'
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import type { Client, WorkflowHandle } from '@temporalio/client'
import { WarehouseBusyError } from '../../sinks/sink-error.ts'
import { memoText } from './open-run.ts'
import type { ExportInput } from '../../workflows/messages.ts'
import type { exportWarehouse } from '../../workflows/export-warehouse.ts'

/** How a run is begun. */
export interface RunStart {
  workflowId: string
  taskQueue: string
  input: ExportInput
  /** The workflow code of the workers that will do it. */
  workflowsId: string
  /** How long a worker may be silent before another goes on with its work (engine/lost-after.ts). */
  lostAfterMs: number
}

export interface StartedRun {
  handle: WorkflowHandle<typeof exportWarehouse>
  runId: string
  /** True when the same order was running already and this is that run. */
  isAttached: boolean
}

/** A run's name: when it was asked for, and 6 hex digits so that two of one second differ. */
export function newRunId(nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:]/g, '').slice(0, 15)
  return `${stamp}-${randomBytes(3).toString('hex')}`
}

/**
 * Starts the export of a warehouse, or attaches to the one that runs if it was given the same order.
 *
 * @throws WarehouseBusyError RUN_IN_PROGRESS when another order is running.
 */
export async function startRun(
  client: Client,
  { workflowId, taskQueue, input, workflowsId, lostAfterMs }: RunStart,
): Promise<StartedRun> {
  await retireForeignRun(client, workflowId, workflowsId)
  try {
    const handle = await client.workflow.start<typeof exportWarehouse>('exportWarehouse', {
      workflowId,
      taskQueue,
      args: [input],
      memo: { orderId: input.orderId, runId: input.runId, workflowsId },
      staticSummary: `coinlake run ${input.runId}`,
      workflowTaskTimeout: lostAfterMs,
    })
    return { handle, runId: input.runId, isAttached: false }
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
  const handle = client.workflow.getHandle<typeof exportWarehouse>(workflowId)
  const { memo } = await handle.describe()
  const runId = memoText(memo, 'runId')
  if (memoText(memo, 'orderId') !== input.orderId) {
    throw new WarehouseBusyError(`another export of this warehouse is running: run ${runId}`, {
      code: 'RUN_IN_PROGRESS',
      hint: 'Look at it with `coinlake status`; wait for its end or end it with `coinlake cancel`, then run this command again.',
    })
  }
  return { handle, runId, isAttached: true }
}

/**
 * Ends an open run that other workflow code began: replayed by ours it would stand still for ever.
 * Nothing is lost by it, since the next plan is made from the ledger and the stage has the pages. The
 * window of a schedule that has begun it ends too: replayed, it would hold up all windows after it.
 *
 * @returns whether there was one.
 */
export async function retireForeignRun(
  client: Client,
  workflowId: string,
  workflowsId: string,
): Promise<boolean> {
  const handle = client.workflow.getHandle(workflowId)
  try {
    const { status, memo, parentExecution } = await handle.describe()
    const isOurs = memoText(memo, 'workflowsId') === workflowsId
    if (status.name !== 'RUNNING' || isOurs) return false
    const why = 'begun by other workflow code; planned again from the ledger'
    const window = parentExecution?.workflowId
    if (typeof window === 'string') await client.workflow.getHandle(window).terminate(why)
    // A run ends with the window that began it: it may be gone by now.
    await handle.terminate(why).catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error
    })
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}
