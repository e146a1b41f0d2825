import { DAY_MS } from '../../api/granularity.ts'
import { sharedFiles } from '../../stage/shared-files.ts'

/**
 * Orders of windows and of runs by hand stay this long, because a run may wait for a worker. Removed reports are no
 * loss: the ledger keeps their runs.
 */
export const STATE_KEPT_MS = 40 * DAY_MS
const ORDER_FILE = /^[0-9a-f]{20}\.json$/
const REPORT_FILE = /\.json$/
/** The order of one window has the window's time. A schedule gives an order without either key to all its windows. */
const OF_ONE_RUN = /"(?:asOfMs|byHand)":/

export interface SweptState {
  ordersDir: string
  runsDir: string
  /** Orders of runs without an end, which stay. */
  openOrders: () => Promise<string[]>
}

/** Makes the function that removes old orders and old reports once a day: each run writes both. */
export function stateSweep({ ordersDir, runsDir, openOrders }: SweptState) {
  let sweptAtMs = -Infinity
  return async (nowMs: number): Promise<void> => {
    if (nowMs - sweptAtMs < DAY_MS) return
    sweptAtMs = nowMs
    const open = new Set((await openOrders()).map((id) => `${id}.json`))
    await sweep(ordersDir, nowMs, {
      isOfName: (name) => ORDER_FILE.test(name) && !open.has(name),
      text: OF_ONE_RUN,
    })
    await sweep(runsDir, nowMs, { isOfName: (name) => REPORT_FILE.test(name) })
  }
}

/** Removes the old files of such a name that match the text. */
async function sweep(
  dir: string,
  nowMs: number,
  { isOfName, text }: { isOfName: (name: string) => boolean; text?: RegExp },
): Promise<void> {
  const files = sharedFiles(dir)
  for (const { name, modifiedMs } of await files.list('')) {
    if (!isOfName(name) || nowMs - modifiedMs <= STATE_KEPT_MS) continue
    const isOld = text === undefined || text.test((await files.read(name))?.toString('utf8') ?? '')
    if (isOld) await files.remove([name])
  }
}
