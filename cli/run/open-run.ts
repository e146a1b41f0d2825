import { WorkflowNotFoundError } from '@temporalio/client'
import type { Client, WorkflowHandle } from '@temporalio/client'
import { exportWorkflowId } from '../../workflows/messages.ts'
import type { RunProgress } from '../../workflows/messages.ts'
import { progressQuery } from '../../workflows/messages.ts'
import type { exportWarehouse } from '../../workflows/export-warehouse.ts'

/** The run that is open on a warehouse now. */
export interface OpenRun {
  handle: WorkflowHandle<typeof exportWarehouse>
  runId: string
  orderId: string
}

/** The warehouse's open run, or null when none is. */
export async function findOpenRun(client: Client, warehouseId: string): Promise<OpenRun | null> {
  const handle = client.workflow.getHandle<typeof exportWarehouse>(exportWorkflowId(warehouseId))
  try {
    const { status, memo } = await handle.describe()
    if (status.name !== 'RUNNING') return null
    return {
      handle,
      runId: memoText(memo, 'runId'),
      orderId: memoText(memo, 'orderId'),
    }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null
    throw error
  }
}

/** A text that `startRun` put into the workflow's memo. */
export function memoText(memo: Record<string, unknown> | undefined, name: string): string {
  const value = memo?.[name]
  return typeof value === 'string' ? value : 'unknown'
}

/** What an open run says of itself; null when no worker is there to answer within `timeoutMs`. */
export async function askProgress(run: OpenRun, timeoutMs: number): Promise<RunProgress | null> {
  return answerWithin(run, timeoutMs, () => run.handle.query(progressQuery))
}

/**
 * What `call` gives, or null when it fails or takes longer than `timeoutMs`. A deadline and no timer:
 * a call that is still being repeated when the connection is closed throws out of gRPC's own timer.
 */
export async function answerWithin<T>(
  { handle: { client } }: OpenRun,
  timeoutMs: number,
  call: () => Promise<T>,
): Promise<T | null> {
  return client.withDeadline(Date.now() + timeoutMs, call).catch(() => null)
}
