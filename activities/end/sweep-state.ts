import { DAY_MS } from '../../api/granularity.ts'
import { sharedFiles } from '../../stage/shared-files.ts'

/**
 * An order stays this long, because its run may wait for a worker. Removed reports are no loss: the ledger keeps their
 * runs.
 */
export const STATE_KEPT_MS = 40 * DAY_MS
const ORDER_FILE = /^[0-9a-f]{20}\.json$/
const REPORT_FILE = /\.json$/

/** Makes the function that removes old orders and reports once a day; each window of a schedule writes both. */
export function stateSweep({ ordersDir, runsDir }: { ordersDir: string; runsDir: string }) {
  let sweptAtMs = -Infinity
  return async (nowMs: number): Promise<void> => {
    if (nowMs - sweptAtMs < DAY_MS) return
    sweptAtMs = nowMs
    await sweep(ordersDir, ORDER_FILE, nowMs)
    await sweep(runsDir, REPORT_FILE, nowMs)
  }
}

async function sweep(dir: string, pattern: RegExp, nowMs: number): Promise<void> {
  const files = sharedFiles(dir)
  const outlived = (await files.list('')).filter(
    ({ name, modifiedMs }) => pattern.test(name) && nowMs - modifiedMs > STATE_KEPT_MS,
  )
  await files.remove(outlived.map(({ name }) => name))
}
