import type { Config } from '../../config/config.ts'
import { pathsOf } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import type { ReplayReport } from '../../sinks/duckdb-store/replay-quarantine.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import type { DuckdbStore } from '../../sinks/duckdb-store/open-store.ts'
import { archiveStage } from '../../sinks/replay/archive-stage.ts'
import { archivedSlices } from '../../stage/archived-slices.ts'
import type { Effects } from '../effects.ts'
import { storeOf } from '../ledger/store-of.ts'
import { coinlakeVersion } from '../version.ts'

/** Loads what passes now of these rows, from the kept answers. @throws SinkError STORE_LOCKED */
export async function replayRows(
  effects: Effects,
  config: Config,
  ids: readonly string[],
): Promise<ReplayReport> {
  const { stageDir } = pathsOf(config)
  const only = new Set(ids.map((id) => id.split('-')[0] ?? ''))
  const kept = await archivedSlices(stageDir, { only })
  const { maxHistoryDays } = config.source
  // What cannot be read is counted by the store: its rows come back as unreadable.
  const stage = archiveStage({ stageDir, datasets, maxHistoryDays }, kept, () => undefined)
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
  work: (store: DuckdbStore) => Promise<T>,
): Promise<T> {
  const file = storeOf(pathsOf(config))
  const tables = datasets.flatMap((dataset) => dataset.tables)
  const store = await openStore({ file, tables, datasets, coinlakeVersion, clock })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
