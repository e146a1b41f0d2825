import type { LoadDeps } from '../activity-deps.ts'
import type { OpenWindowInput, OpenWindowResult } from '../activity-types.ts'
import { readOrder, sweepOrders, writeOrder } from './order-file.ts'

/** A window that a worker took up within this time has not waited for one. */
const AT_ONCE_MS = 60_000

/**
 * Makes the order of a window from that of its schedule: the same, planned for the scheduled time. A
 * window that had to wait for a worker gives way to a later one that has come due meanwhile; windows
 * that are run again on purpose do not wait.
 *
 * @throws SinkError ORDER_LOST
 */
export async function openWindow(
  { others }: Pick<LoadDeps, 'others'>,
  ordersDir: string,
  { schedule, templateId, windowMs, waitedMs }: OpenWindowInput,
): Promise<OpenWindowResult> {
  const template = await readOrder(ordersDir, templateId)
  const workflowsId = others?.workflowsId ?? ''
  if (waitedMs > AT_ONCE_MS) {
    const newestMs = (await others?.newestWindowMs(schedule)) ?? null
    if (newestMs !== null && newestMs > windowMs) {
      return { orderId: templateId, workflowsId, supersededByMs: newestMs }
    }
  }
  await sweepOrders(ordersDir, templateId, Date.now())
  const orderId = await writeOrder(ordersDir, { ...template, asOfMs: windowMs })
  return { orderId, workflowsId, supersededByMs: null }
}
