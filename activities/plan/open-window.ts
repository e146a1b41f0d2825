import type { StoreDeps } from '../activity-deps.ts'
import type { OpenWindowInput, OpenWindowResult } from '../activity-types.ts'
import { readOrder, writeOrder } from './order-file.ts'

/** A window that a worker takes within this time counts as on time. */
const AT_ONCE_MS = 60_000

/**
 * Makes a window's order: the schedule's order, planned for the scheduled time. A window that a worker takes late yields
 * to a later window that is due by then. A window that somebody repeats on purpose is taken at once, so it never yields.
 *
 * @throws SinkError ORDER_LOST, ORDER_NOT_WRITTEN
 */
export async function openWindow(
  { otherRuns }: Pick<StoreDeps, 'otherRuns'>,
  ordersDir: string,
  { schedule, templateId, windowMs, waitedMs }: OpenWindowInput,
): Promise<OpenWindowResult> {
  const template = await readOrder(ordersDir, templateId)
  const workflowsId = otherRuns?.workflowsId ?? ''
  if (waitedMs > AT_ONCE_MS) {
    const newestMs = (await otherRuns?.newestWindowMs(schedule)) ?? null
    if (newestMs !== null && newestMs > windowMs) {
      return { orderId: templateId, workflowsId, supersededByMs: newestMs }
    }
  }
  const orderId = await writeOrder(ordersDir, { ...template, asOfMs: windowMs })
  return { orderId, workflowsId, supersededByMs: null }
}
