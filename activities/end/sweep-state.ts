import { DAY_MS } from '../../api/granularity.ts'
import { sharedFiles } from '../../stage/shared-files.ts'

/**
 * The order of a window stays this long, because its run may wait for a worker. Removed reports are no loss: the ledger
 * keeps their runs.
 */
export const STATE_KEPT_MS = 40 * DAY_MS
const ORDER_FILE = /^[0-9a-f]{20}\.json$/
const REPORT_FILE = /\.json$/
/** Only the order of one window has the window's time. A schedule gives an order without it to each of its windows. */
const WINDOW_TIME = '"asOfMs":'

/** Makes the function that removes old orders of windows and old reports once a day: each window writes both. */
export function stateSweep({ ordersDir, runsDir }: { ordersDir: string; runsDir: string }) {
  let sweptAtMs = -Infinity
  return async (nowMs: number): Promise<void> => {
    if (nowMs - sweptAtMs < DAY_MS) return
    sweptAtMs = nowMs
    await sweep(ordersDir, nowMs, { pattern: ORDER_FILE, text: WINDOW_TIME })
    await sweep(runsDir, nowMs, { pattern: REPORT_FILE, text: '' })
  }
}

/** Removes the old files of such a name that contain the text. */
async function sweep(
  dir: string,
  nowMs: number,
  { pattern, text }: { pattern: RegExp; text: string },
): Promise<void> {
  const files = sharedFiles(dir)
  for (const { name, modifiedMs } of await files.list('')) {
    if (!pattern.test(name) || nowMs - modifiedMs <= STATE_KEPT_MS) continue
    if (text === '' || (await files.read(name))?.includes(text)) await files.remove([name])
  }
}
