import { DAY_MS } from '../../config/values/duration.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import { sharedFiles } from '../../stage/shared-files.ts'
import type { StoreDeps } from '../activity-deps.ts'

/** Orders for a single run, and reports, are kept this long. A run may wait for a worker; the ledger keeps its facts. */
export const STATE_KEPT_MS = 40 * DAY_MS
const ORDER_FILE_PATTERN = /^[0-9a-f]{20}\.json$/
/** Keys of an order for one run: a window or a run by hand. Orders without them belong to a schedule. */
const ONE_RUN_PATTERN = /"(?:asOfMs|byHand)":/

type Deps = Pick<StoreDeps, 'ordersDir' | 'runsDir'> & { store: Pick<Store, 'unfinishedRuns'> }

/** Makes a function that removes old orders and old reports, once a day. Orders of runs that have not ended stay. */
export function stateSweep({ ordersDir, runsDir, store }: Deps) {
  let sweptAtMs = -Infinity
  return async (nowMs: number): Promise<void> => {
    if (nowMs - sweptAtMs < DAY_MS) return
    const open = new Set((await store.unfinishedRuns()).map(({ orderId }) => `${orderId}.json`))
    sweptAtMs = nowMs
    await sweep(ordersDir, nowMs, {
      isOfName: (name) => ORDER_FILE_PATTERN.test(name) && !open.has(name),
      text: ONE_RUN_PATTERN,
    })
    await sweep(runsDir, nowMs, { isOfName: (name) => name.endsWith('.json') })
  }
}

/** Removes old files with such a name and text. */
async function sweep(
  dir: string,
  nowMs: number,
  { isOfName, text }: { isOfName: (name: string) => boolean; text?: RegExp },
): Promise<void> {
  const files = sharedFiles(dir)
  for (const { name, modifiedMs } of await files.list('')) {
    if (!isOfName(name) || nowMs - modifiedMs <= STATE_KEPT_MS) continue
    const isRemovable =
      text === undefined || text.test((await files.read(name))?.toString('utf8') ?? '')
    if (isRemovable) await files.remove([name])
  }
}
