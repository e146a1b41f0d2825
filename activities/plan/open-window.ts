import type { StoreDeps } from '../activity-deps.ts'
import type { OpenWindowInput, OpenWindowResult } from '../activity-types.ts'
import { readOrder, writeOrder } from './order-file.ts'

/** A window that reaches a worker within this time is on time. */
const ON_TIME_MS = 60_000

/**
 * Writes a window's order: the schedule's order, planned for the scheduled time. A window that reaches a worker late
 * yields to a later window that is due. A window repeated by hand is never late.
 *
 * @throws SinkError ORDER_LOST, ORDER_NOT_WRITTEN
 */
export async function openWindow(
  { otherRuns, ordersDir }: Pick<StoreDeps, 'otherRuns' | 'ordersDir'>,
  { schedule, templateId, windowMs, waitedMs }: OpenWindowInput,
): Promise<OpenWindowResult> {
  const template = await readOrder(ordersDir, templateId)
  const workflowsId = otherRuns?.workflowsId ?? ''
  if (waitedMs > ON_TIME_MS) {
    const newestMs = (await otherRuns?.newestWindowMs(schedule)) ?? null
    if (newestMs !== null && newestMs > windowMs) {
      return { orderId: templateId, workflowsId, supersededByMs: newestMs }
    }
  }
  const orderId = await writeOrder(ordersDir, { ...template, asOfMs: windowMs })
  return { orderId, workflowsId, supersededByMs: null }
}
