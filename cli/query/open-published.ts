import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { quoteText } from '../../datasets/ddl.ts'
import { datasets } from '../../datasets/index.ts'
import { openWarehouse } from '../../service/open-warehouse.ts'
import { MANIFEST, readManifest } from '../../sinks/publish-parquet/manifest.ts'
import type { Manifest } from '../../sinks/publish-parquet/manifest.ts'
import { treeViewStatements } from '../../sinks/publish-parquet/tree-views.ts'
import { QueryError } from './query-error.ts'

/** A publication that is open for reading. */
export interface OpenPublication {
  connection: DuckDBConnection
  /** Which publication it is. */
  kind: 'duckdb' | 'parquet'
  close(): void
}

/**
 * Opens what readers open, never the store: the DuckDB file if it is published, else the Parquet tree
 * with a view per table. The session runs in `zone`, not in the zone of this machine.
 *
 * @throws QueryError NO_PUBLICATION
 * @throws ConfigError WAREHOUSE_NOT_DUCKDB and the like for a file that cannot be opened
 */
export async function openPublished(paths: WarehousePaths, zone: string): Promise<OpenPublication> {
  if (existsSync(paths.duckdbLink)) {
    return openSession(await openWarehouse(paths.duckdbLink), 'duckdb', zone)
  }
  const manifest = await readManifest(join(paths.parquetDir, MANIFEST))
  if (manifest === null) {
    throw new QueryError(`nothing is published in ${paths.root} yet`, {
      code: 'NO_PUBLICATION',
      hint: 'Run `coinlake backfill` first, or name another warehouse with --warehouse.',
    })
  }
  const publication = await openSession(await DuckDBInstance.create(':memory:'), 'parquet', zone)
  for (const statement of treeStatements(paths.parquetDir, manifest)) {
    await publication.connection.run(statement)
  }
  return publication
}

async function openSession(
  instance: DuckDBInstance,
  kind: OpenPublication['kind'],
  zone: string,
): Promise<OpenPublication> {
  const connection = await instance.connect()
  await connection.run(`SET TimeZone = ${quoteText(zone)}`)
  return {
    connection,
    kind,
    close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** The files that the manifest names, and no other that a publisher is just writing. */
function treeStatements(dir: string, manifest: Manifest): string[] {
  const filesOf = Map.groupBy(manifest.files, ({ table }) => table)
  const tables = datasets.flatMap((dataset) => dataset.tables)
  return treeViewStatements(tables, ({ name }) => {
    const paths = filesOf.get(name)?.map(({ path }) => quoteText(join(dir, path)))
    return paths === undefined ? null : `read_parquet([${paths.join(', ')}], union_by_name = true)`
  })
}
