import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { ReplayReport } from '../../sinks/duckdb-store/repair/replay-quarantine.ts'
import type { Effects } from '../effects.ts'
import { openStoreAt, storePlaceOf } from '../ledger/store-of.ts'
import { openConfiguredStage } from '../run/open-configured-stage.ts'
import { withOpen } from '../run/closing-after.ts'

/** Loads those of the rows that pass now, from the kept answers. @throws SinkError STORE_LOCKED */
export async function replayRows(
  { clock }: Effects,
  config: Config,
  ids: readonly string[],
): Promise<ReplayReport> {
  const paths = pathsOf(config)
  // `isArchive`: a damaged page is not moved aside. The report lists its rows as unreadable.
  const stage = openConfiguredStage(config, { dir: paths.stageDir, isArchive: true })
  const store = openStoreAt(storePlaceOf(paths), clock)
  return await withOpen(store, (open) => open.replayQuarantine(ids, stage))
}

/** Ends these rows without loading them. @throws SinkError STORE_LOCKED */
export async function dropRows(
  { clock }: Effects,
  config: Config,
  ids: readonly string[],
): Promise<number> {
  const store = openStoreAt(storePlaceOf(pathsOf(config)), clock)
  return await withOpen(store, (open) => open.dropQuarantine(ids))
}
