import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection } from '@duckdb/node-api'
import { CoinlakeError } from '../../config/coinlake-error.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { quoteText } from '../../datasets/ddl.ts'
import { datasets } from '../../datasets/index.ts'
import { openWarehouse } from '../../service/open-warehouse.ts'
import { MANIFEST, readManifest } from '../../sinks/publish-parquet/manifest.ts'
import type { Manifest } from '../../sinks/publish-parquet/manifest.ts'
import { newestSnapshot } from '../../sinks/publish-parquet/tree-snapshots.ts'
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
 * @throws QueryError NO_PUBLICATION, PUBLICATION_DAMAGED
 * @throws ConfigError WAREHOUSE_NOT_DUCKDB and the like for a file that cannot be opened
 */
export async function openPublished(paths: WarehousePaths, zone: string): Promise<OpenPublication> {
  // The published file itself may be named, too, as `serve --warehouse` takes it.
  if (statSync(paths.root, { throwIfNoEntry: false })?.isFile() === true) {
    return openSession(await openWarehouse(paths.root), 'duckdb', zone)
  }
  if (existsSync(paths.duckdbLink)) {
    const instance = await openWarehouse(paths.duckdbLink).catch((cause: unknown) => {
      if (!(cause instanceof CoinlakeError)) throw cause
      const hint =
        cause.code === 'WAREHOUSE_HELD'
          ? 'A program has it open for writing; published files are to be opened read-only. End that program, or run `coinlake backfill`: it publishes another file.'
          : 'Remove that file, then run `coinlake backfill`: it publishes again.'
      throw new QueryError(cause.message, { code: cause.code, hint, cause })
    })
    return openSession(instance, 'duckdb', zone)
  }
  // Of one moment, and it stays as it is while it is read.
  const tree = await newestSnapshot(paths.parquetDir)
  const manifest = await readManifest(join(tree, MANIFEST))
  if (manifest === null) {
    throw new QueryError(`nothing is published in ${paths.root} yet`, {
      code: 'NO_PUBLICATION',
      hint: 'Run `coinlake backfill` first, or name another warehouse with --warehouse.',
    })
  }
  const publication = await openSession(await DuckDBInstance.create(':memory:'), 'parquet', zone)
  try {
    for (const statement of treeStatements(tree, manifest)) {
      await publication.connection.run(statement)
    }
    return publication
  } catch (cause) {
    publication.close()
    const [text = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw new QueryError(`the Parquet tree ${paths.parquetDir} is not whole: ${text}`, {
      code: 'PUBLICATION_DAMAGED',
      hint: 'Run `coinlake backfill`: it publishes again what is missing.',
      cause,
    })
  }
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
