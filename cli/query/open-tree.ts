import type { DuckDBInstance } from '@duckdb/node-api'
import { CoinlakeError } from '../../config/coinlake-error.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { allTables } from '../../datasets/index.ts'
import { manifestAt } from '../../sinks/publish-delta/delta-manifest.ts'
import type { ReadablePaths } from '../../service/warehouse/lock-to-reading.ts'
import { shownVersion } from '../../sinks/publish-parquet/tree-versions.ts'
import { treeViewStatements } from '../../sinks/publish-parquet/tree-views.ts'
import { readFilesSql } from '../../sinks/publish-parquet/views-sql.ts'
import { openFiles } from './open-files.ts'
import { QueryError } from './query-error.ts'

/**
 * Opens the Parquet publication, in its folder or its bucket, as a database with a view for each table. The views show
 * one moment, which does not change. The session is locked to the files of its manifest.
 *
 * @returns null when nothing is published
 * @throws QueryError PUBLICATION_DAMAGED; SinkError STORE_EXTENSION; StageError when the bucket refuses
 */
export async function openTree(
  paths: WarehousePaths,
  readable: ReadablePaths = {},
): Promise<DuckDBInstance | null> {
  const { parquetBucket: bucket } = paths
  const place = bucket?.place ?? (await shownVersion(paths.parquetLink))
  const manifest = await manifestAt(place)
  if (manifest === null) return null
  // The manifest says which files count, because a publisher may be writing others.
  const statements = treeViewStatements(allTables, readFilesSql(place, manifest.files))
  const files = manifest.files.map(({ path }) => `${place}/${path}`)
  return await openFiles({ files, bucket, statements }, readable).catch((cause: unknown) => {
    if (cause instanceof CoinlakeError) throw cause
    const [text = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n')
    throw new QueryError(`the Parquet tree ${place} is damaged: ${text}`, {
      code: 'PUBLICATION_DAMAGED',
      hint: 'Run `coinlake backfill`, which publishes missing files again.',
      cause,
    })
  })
}
