import type { LoadDeps } from '../activity-deps.ts'
import type { OpenWindowInput, OpenWindowResult } from '../activity-types.ts'
import { keepOrder, readOrder, writeOrder } from './order-file.ts'

/** A window that a worker takes within this time counts as on time. */
const AT_ONCE_MS = 60_000

/**
 * Makes a window's order: the schedule's order, planned for the scheduled time. A late window yields to a later
 * window that is due meanwhile; windows that are repeated on purpose never yield.
 *
 * @throws SinkError ORDER_LOST
 */
export async function openWindow(
  { otherRuns }: Pick<LoadDeps, 'otherRuns'>,
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
  await keepOrder(ordersDir, templateId, Date.now())
  const orderId = await writeOrder(ordersDir, { ...template, asOfMs: windowMs })
  return { orderId, workflowsId, supersededByMs: null }
}
