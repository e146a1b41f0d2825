import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { ReplayReport } from '../../sinks/duckdb-store/repair/replay-quarantine.ts'
import type { Effects } from '../effects.ts'
import { storePlaceOf, withStore } from '../ledger/store-of.ts'
import { openConfiguredStage } from '../run/open-configured-stage.ts'

/** Loads those of the rows that pass now, from the kept answers. @throws SinkError STORE_LOCKED */
export async function replayRows(
  { clock }: Effects,
  config: Config,
  ids: readonly string[],
): Promise<ReplayReport> {
  // The store reports rows of an unreadable page as unreadable.
  const paths = pathsOf(config)
  const stage = openConfiguredStage(config, { dir: paths.stageDir, isArchive: true })
  return await withStore(storePlaceOf(paths), clock, (store) => store.replayQuarantine(ids, stage))
}

/** Ends these rows without loading them. @throws SinkError STORE_LOCKED */
export async function dropRows(
  { clock }: Effects,
  config: Config,
  ids: readonly string[],
): Promise<number> {
  return await withStore(storePlaceOf(pathsOf(config)), clock, (store) => store.dropQuarantine(ids))
}
