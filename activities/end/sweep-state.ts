import { sharedFiles } from '../../stage/shared-files.ts'

const DAY_MS = 86_400_000
/** A run may wait this long for a worker, with its order; of runs that ended earlier the ledger tells. */
export const STATE_KEPT_MS = 40 * DAY_MS
const ORDER_FILE = /^[0-9a-f]{20}\.json$/
const REPORT_FILE = /\.json$/

/** Removes, once a day, the orders and the reports that have outlived their time: each window of a schedule writes both. */
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
