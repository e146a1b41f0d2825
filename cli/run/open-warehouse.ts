import { mkdir } from 'node:fs/promises'
import type { Clock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import { warehousePaths } from '../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import type { DuckdbStore } from '../../sinks/duckdb-store/open-store.ts'
import { coverageView } from '../../sinks/ledger/coverage-view.ts'
import { ledgerTables } from '../../sinks/ledger/ledger-tables.ts'
import type { Publication } from '../../sinks/publication.ts'
import { createDuckdbPublication } from '../../sinks/publish-duckdb/duckdb-publication.ts'
import { createParquetPublication } from '../../sinks/publish-parquet/parquet-publication.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { diskStage } from '../../stage/disk-stage.ts'
import type { DiskStage } from '../../stage/disk-stage.ts'
import { coinlakeVersion } from '../version.ts'

/** A warehouse that this process holds open for writing. */
export interface OpenWarehouse {
  paths: WarehousePaths
  store: DuckdbStore
  stage: DiskStage
  publications: Publication[]
  close: () => Promise<void>
}

/**
 * Opens the warehouse of a configuration: makes its folders, takes the store's lock, and prepares the
 * publications the config asks for.
 *
 * @throws SinkError when the place cannot be written, or the store is held by another process.
 */
export async function openWarehouse(
  config: Config,
  clock: Clock,
  onDamaged: (text: string) => void,
): Promise<OpenWarehouse> {
  const paths = warehousePaths(config.warehouseDir)
  await makeFolders(paths)
  const tables = datasets.flatMap((dataset) => dataset.tables)
  const store = await openStore({ file: paths.storeFile, tables, datasets, coinlakeVersion, clock })
  const stage = diskStage({
    dir: paths.stageDir,
    keep: config.stageKeep,
    onDamaged: ({ reason, movedTo }) =>
      onDamaged(`a staged page was damaged (${reason}); moved to ${movedTo}, fetched again`),
  })
  // A worker that goes on with a killed one's run never opens it anew: the rests go here too.
  await stage.sweep()
  const connection = await store.connect()
  const make = {
    duckdb: () =>
      createDuckdbPublication({
        connection,
        tables,
        ledgerTables: [...ledgerTables, coverageView],
        dir: paths.duckdbDir,
        link: paths.duckdbLink,
      }),
    parquet: () =>
      createParquetPublication({
        connection,
        tables,
        dir: paths.parquetDir,
        version: config.parquetVersion,
      }),
  }
  return {
    paths,
    store,
    stage,
    publications: config.sinks.map((name) => make[name]()),
    close: async () => {
      connection.closeSync()
      await store.close()
    },
  }
}

async function makeFolders(paths: WarehousePaths): Promise<void> {
  try {
    await mkdir(paths.root, { recursive: true })
    // The state and the stage are nobody else's: they hold the ledger and raw answers.
    for (const dir of [paths.stateDir, paths.stageDir, paths.runsDir, paths.ordersDir]) {
      await mkdir(dir, { recursive: true, mode: 0o700 })
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    throw new SinkError(`the warehouse ${paths.root} cannot be made or written (${code})`, {
      code: 'WAREHOUSE_NOT_WRITABLE',
      hint: 'Name a folder that you may write with `warehouse:` in coinlake.yaml.',
      cause: error,
    })
  }
}
