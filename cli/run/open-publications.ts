import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { deltaPlace, warehouseIdOf, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { allTables } from '../../datasets/index.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { Publication, PublishRun } from '../../sinks/publication.ts'
import { createDeltaPublication } from '../../sinks/publish-delta/delta-publication.ts'
import { createDuckdbPublication } from '../../sinks/publish-duckdb/duckdb-publication.ts'
import { createParquetPublication } from '../../sinks/publish-parquet/parquet-publication.ts'
import { coinlakeVersion } from '../version.ts'

export async function openPublications(
  config: Config,
  store: Store,
  paths: WarehousePaths,
): Promise<{ publications: Publication[]; close: () => void }> {
  const connection = await store.connect()
  const { duckdbDir, duckdbLink } = paths
  const common = { connection, tables: allTables }
  const make = {
    duckdb: () =>
      createDuckdbPublication({ ...common, alone: store.alone, dir: duckdbDir, link: duckdbLink }),
    parquet: () => {
      const { version } = config.parquet
      const place = deltaPlace(paths)
      if (place === null) {
        const { parquetVersionsDir: dir, parquetLink: link } = paths
        return createParquetPublication({ ...common, version, dir, link })
      }
      // A tree in the warehouse's folder belongs to it, also after a move.
      const warehouse = paths.parquetBucket === null ? 'this folder' : warehouseIdOf(config)
      const scratchDir = join(paths.stateDir, 'parquet-on-its-way')
      return createDeltaPublication({ ...common, version, place, warehouse, scratchDir })
    },
  }
  return {
    publications: config.sinks.map((name) => make[name]()),
    close: () => connection.closeSync(),
  }
}

/** The facts of publishing outside of runs, under the newest run's id. */
export async function republishFacts(store: Store): Promise<PublishRun> {
  const [last] = await store.query(
    'SELECT run_id FROM _runs ORDER BY started_at DESC, run_id LIMIT 1',
  )
  const runId = String(last?.['run_id'] ?? 'none')
  return { runId, publishedAtMs: Date.now(), coinlakeVersion }
}
