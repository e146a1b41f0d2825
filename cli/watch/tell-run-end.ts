import { alertOfRun, causesOf } from '../../activities/alerts/alert.ts'
import type { AlertOrigin } from '../../activities/alerts/alert.ts'
import type { ReportedStates } from '../../activities/alerts/reported-states.ts'
import { readOrder } from '../../activities/plan/order-file.ts'
import type { RunEvent } from '../../activities/run-events.ts'
import type { Order } from '../../plan/order.ts'

/**
 * Sends the alert of an ended run. A complete run also ends the alerts of runs by hand that wanted no other series:
 * after a change of coinlake.yaml no run has their order again.
 */
export async function tellRunEnd(
  states: ReportedStates,
  { report, schedule }: Extract<RunEvent, { kind: 'ended' }>,
  { ordersDir, place }: { ordersDir: string; place: AlertOrigin },
): Promise<void> {
  const alert = alertOfRun(report, schedule, place)
  if (alert === null) return
  if (alert.event !== 'recovered') return states.bad(alert, causesOf(report))
  await states.well(alert)
  const bad = await states.list('run/')
  const order = bad.length === 0 ? null : await orderOf(ordersDir, report.orderId)
  // A refetch asks for one stretch, and says nothing of the rest.
  if (order === null || order.refetch) return
  const wanted = seriesOf(order)
  for (const { subject } of bad) {
    const before = await orderOf(ordersDir, subject.slice('run/'.length))
    if (before === null || !seriesOf(before).every((one) => wanted.includes(one))) continue
    await states.well({ ...alert, id: `${alert.id}/${subject}`, subject })
  }
}

/** Null for the name of a schedule, and for an order that was removed after 40 days. */
async function orderOf(ordersDir: string, id: string): Promise<Order | null> {
  return await readOrder(ordersDir, id).catch(() => null)
}

function seriesOf({ wanted }: Order): string[] {
  return wanted.map(({ dataset, granularity }) => `${dataset} ${granularity}`)
}
