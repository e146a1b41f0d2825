import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import type { ReplayReport } from '../../sinks/duckdb-store/repair/replay-quarantine.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { Effects } from '../effects.ts'
import { openStoreAt, storeOf } from '../ledger/store-of.ts'
import { openConfiguredStage } from '../run/stage-of.ts'

/** Loads what passes now of these rows, from the kept answers. @throws SinkError STORE_LOCKED */
export async function replayRows(
  effects: Effects,
  config: Config,
  ids: readonly string[],
): Promise<ReplayReport> {
  // A page that cannot be read is counted by the store: its rows come back as unreadable.
  const stage = openConfiguredStage(config, { dir: pathsOf(config).stageDir, isArchive: true })
  return await inStore(effects, config, (store) => store.replayQuarantine(ids, stage))
}

/** Ends these rows without loading them. @throws SinkError STORE_LOCKED */
export async function dropRows(
  effects: Effects,
  config: Config,
  ids: readonly string[],
): Promise<number> {
  return await inStore(effects, config, (store) => store.dropQuarantine(ids))
}

async function inStore<T>(
  { clock }: Effects,
  config: Config,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStoreAt(storeOf(pathsOf(config)), clock)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
