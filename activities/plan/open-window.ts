import type { StoreDeps } from '../activity-deps.ts'
import type { OpenWindowInput, OpenWindowResult } from '../activity-types.ts'
import { readOrder, writeOrder } from './order-file.ts'

/** A window that reaches a worker within this time is on time. */
const ON_TIME_MS = 60_000

/**
 * Writes a window's order: the schedule's order, planned for the scheduled time. A window that reaches a worker late is
 * planned for the newest due time, as the server may leave the windows in between out.
 *
 * @throws SinkError ORDER_LOST, ORDER_NOT_WRITTEN
 */
export async function openWindow(
  { otherRuns, ordersDir }: Pick<StoreDeps, 'otherRuns' | 'ordersDir'>,
  { schedule, templateId, scheduledMs, waitedMs }: OpenWindowInput,
): Promise<OpenWindowResult> {
  const template = await readOrder(ordersDir, templateId)
  const newestMs = waitedMs > ON_TIME_MS ? await otherRuns?.newestWindowMs(schedule) : null
  const windowMs = Math.max(scheduledMs, newestMs ?? 0)
  const orderId = await writeOrder(ordersDir, { ...template, asOfMs: windowMs })
  return { orderId, workflowsId: otherRuns?.workflowsId ?? '', windowMs }
}
