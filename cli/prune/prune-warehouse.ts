import { rm } from 'node:fs/promises'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { pathsOf, stageSharerId } from '../../config/warehouse-paths.ts'
import { knownSlices } from '../../sinks/ledger/known-slices.ts'
import { expireStage, type Outlived } from '../../stage/expire-stage.ts'
import { sharedFiles } from '../../stage/shared-files.ts'
import { withLedger } from '../ledger/open-ledger.ts'
import type { Effects } from '../effects.ts'
import { openStoreAt } from '../ledger/store-of.ts'
import { oldLogs } from '../run/sweep-logs.ts'
import { ConfigError } from '../../config/config-error.ts'
import type { CompactReport } from '../../sinks/duckdb-store/lake/compact-lake.ts'
import { withOpen } from '../run/closing-after.ts'

interface Pruned {
  what: Outlived['why'] | 'log'
  files: number
  sizeBytes: number
}

/**
 * Removes expired files: answers (`stage.keep`), pages never loaded for a month, damaged ones, logs (`log.keep`). The
 * store, the publications and the chosen coins stay.
 *
 * @param isDryRun only counts
 * @throws WarehouseBusyError STORE_LOCKED while a run or a worker holds the warehouse
 * @throws SinkError WAREHOUSE_UNREADABLE
 */
export async function pruneWarehouse(
  effects: Effects,
  config: Config,
  isDryRun: boolean,
): Promise<Pruned[]> {
  const paths = pathsOf(config)
  const found = new Map<Pruned['what'], Pruned>()
  const add = (what: Pruned['what'], sizeBytes: number): void => {
    const one = found.get(what) ?? { what, files: 0, sizeBytes: 0 }
    found.set(what, { what, files: one.files + 1, sizeBytes: one.sizeBytes + sizeBytes })
  }
  for (const { path, sizeBytes } of oldLogs(paths.logsDir, config.log.keepMs)) {
    add('log', sizeBytes)
    if (!isDryRun) await rm(path, { force: true })
  }
  await withLedger(effects, paths, async (ledger) => {
    // An open run writes, reads and removes pages all the time.
    if (ledger.shut !== null && !isDryRun) throw ledger.shut
    const known = knownSlices(ledger.rows)
    const onOutlived = ({ why, sizeBytes }: Outlived): void => add(why, sizeBytes)
    const place = { dir: paths.stageDir, keep: config.stage.keep, sharedBy: stageSharerId(config) }
    await expireStage(sharedFiles(place.dir), place, known, { isDryRun, onOutlived })
  })
  return [...found.values()]
}

/** Merges the small files of a lake. @throws ConfigError COMPACT_NO_LAKE; SinkError */
export async function mergeLakeFiles(config: Config, clock: Clock): Promise<CompactReport | null> {
  const { lake } = pathsOf(config)
  if (lake === null) {
    throw new ConfigError('--compact is for a lake, and the store is a DuckDB file', {
      code: 'COMPACT_NO_LAKE',
      hint: 'Leave it out: DuckDB reuses the room in its file by itself.',
    })
  }
  return await withOpen(openStoreAt(lake, clock), (store) => store.compact())
}
