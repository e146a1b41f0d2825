import { basename, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Publication } from '../../../sinks/publication.ts'
import { createDeltaPublication } from '../../../sinks/publish-delta/delta-publication.ts'
import { createDuckdbPublication } from '../../../sinks/publish-duckdb/duckdb-publication.ts'
import { createParquetPublication } from '../../../sinks/publish-parquet/parquet-publication.ts'
import { filesAt } from '../../../sinks/publish-delta/folder-files.ts'
import { sampleTables } from './sample-store.ts'

/** The kinds of publications; a bucket, which has Delta tables as well, is there in test/scale only. */
export type PublicationKind = 'duckdb' | 'parquet' | 'delta' | 'bucket'

/** The bucket that test/scale has. */
const BUCKET = 'lake'

/** Any publication of a sample store, below `root`, or in a bucket below its name. */
export function publicationOf(
  kind: PublicationKind,
  root: string,
  connection: DuckDBConnection,
): Publication {
  const common = { connection, tables: sampleTables }
  const deltaAt = (place: string): Publication =>
    createDeltaPublication({
      ...common,
      place,
      files: filesAt(place),
      warehouse: 'sample',
      version: 'v2',
      scratchDir: join(root, 'scratch'),
    })
  const make = {
    duckdb: () =>
      createDuckdbPublication({
        ...common,
        alone: (work) => work(),
        dir: join(root, 'duckdb'),
        link: join(root, 'coinlake.duckdb'),
      }),
    parquet: () => createParquetPublication({ ...common, ...treePlace(root), version: 'v2' }),
    delta: () => deltaAt(join(root, 'delta')),
    bucket: () => deltaAt(placeOf(root)),
  }
  return make[kind]()
}

/** Where the publication of kind `parquet` of a root is. */
export function treePlace(root: string): { dir: string; link: string } {
  return { dir: join(root, 'parquet-versions'), link: join(root, 'parquet') }
}

/** Where the publication of kind `bucket` of a root is. */
export function placeOf(root: string): string {
  return `s3://${BUCKET}/${basename(root)}`
}
