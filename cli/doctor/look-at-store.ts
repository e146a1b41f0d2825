import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { openLedger } from '../ledger/open-ledger.ts'
import { hasStore, storeName } from '../ledger/store-of.ts'
import { requireNewestStore } from '../ledger/load-numbers.ts'
import { requireSameSource } from '../ledger/same-source.ts'
import { goneStoreError } from '../ledger/lost-store.ts'
import { readBlocks } from '../../sinks/verify/read-blocks.ts'
import { STORE_LOOK_MS, unreadPartText } from './unread-part.ts'
import { fine, skipped, type CheckResult } from './finding.ts'
import { withOpen } from '../run/closing-after.ts'

const KEPT = '; kept answers not read (`coinlake verify` reads them)'

/** Checks that the store opens, can be read, is ours and the newest; counts the slices of its ledger. */
export async function lookAtStore(
  config: Config,
  clock: Clock,
  worker: { pid: number } | null,
): Promise<CheckResult> {
  const paths = pathsOf(config)
  const gone = goneStoreError(paths)
  if (gone !== null) throw gone
  if (!hasStore(paths)) return fine('not there yet: the first run makes it')
  // A lake admits several processes. Opening it also shows whether a new password is accepted.
  if (worker !== null && paths.lake === null)
    return skipped(`process ${worker.pid} has it open, as it should`)
  return await withOpen(openLedger(paths, clock), async (ledger) => {
    // The publication of the ledger is enough to read, but not to run on.
    if (ledger.shut !== null) throw ledger.shut
    const [row] = await ledger.rows(
      `SELECT count(*) FILTER (WHERE state IN ('loaded', 'provisional', 'empty')) AS done,
         count(*) FILTER (WHERE state = 'failed') AS failed FROM _slices`,
    )
    await requireNewestStore(paths, ledger)
    await requireSameSource(config, ledger)
    const share = paths.lake === null ? await readBlocks(ledger, STORE_LOOK_MS) : 1
    const slices = `${row?.['done']} slices, ${row?.['failed']} failed`
    return fine(`${storeName(paths)}: ${slices}${unreadPartText(share, STORE_LOOK_MS)}${KEPT}`)
  })
}
