import { randomBytes } from 'node:crypto'
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import type { Client, WorkflowHandle } from '@temporalio/client'
import { ConfigError } from '../../config/config-error.ts'
import { memoText } from './open-run.ts'
import type { ExportInput } from '../../workflows/messages.ts'
import type { exportWarehouse } from '../../workflows/export-warehouse.ts'

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
 * @throws ConfigError RUN_IN_PROGRESS when another order is running.
 */
export async function startRun(
  client: Client,
  workflowId: string,
  taskQueue: string,
  input: ExportInput,
): Promise<StartedRun> {
  try {
    const handle = await client.workflow.start<typeof exportWarehouse>('exportWarehouse', {
      workflowId,
      taskQueue,
      args: [input],
      memo: { orderId: input.orderId, runId: input.runId },
      staticSummary: `coinlake run ${input.runId}`,
      // A worker that died keeps its sticky queue for this long before another may go on.
      workflowTaskTimeout: '10 seconds',
    })
    return { handle, runId: input.runId, isAttached: false }
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
  const handle = client.workflow.getHandle<typeof exportWarehouse>(workflowId)
  const { memo } = await handle.describe()
  const runId = memoText(memo, 'runId')
  if (memoText(memo, 'orderId') !== input.orderId) {
    throw new ConfigError(`another export of this warehouse is running: run ${runId}`, {
      code: 'RUN_IN_PROGRESS',
      hint: 'Wait for it (`coinlake status --watch`), or end it with `coinlake cancel` and run this command again.',
    })
  }
  return { handle, runId, isAttached: true }
}
