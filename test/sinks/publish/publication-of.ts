import { basename, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { TableSpec } from '../../../datasets/dataset.ts'
import type { Store } from '../../../sinks/duckdb-store/open-store.ts'
import type { Publication } from '../../../sinks/publication.ts'
import { createDeltaPublication } from '../../../sinks/publish-delta/delta-publication.ts'
import { createDuckdbPublication } from '../../../sinks/publish-duckdb/duckdb-publication.ts'
import { createParquetPublication } from '../../../sinks/publish-parquet/parquet-publication.ts'
import { sampleTables } from './sample-store.ts'

/** The kinds of publications; a bucket, which has Delta tables as well, is there in test/scale only. */
export type PublicationKind = 'duckdb' | 'parquet' | 'delta' | 'bucket'

/** The parts of a store that its publications depend on. */
interface PublishedStore {
  tables: readonly TableSpec[]
  alone: Store['alone']
}

/** The bucket that test/scale has. */
const BUCKET = 'lake'

/** Any publication of a store, the sample's if nothing else is told, below `root`, or in a bucket below its name. */
export function publicationOf(
  kind: PublicationKind,
  root: string,
  connection: DuckDBConnection,
  { tables = sampleTables, alone = (work) => work() }: Partial<PublishedStore> = {},
): Publication {
  const common = { connection, tables }
  const make = {
    duckdb: () =>
      createDuckdbPublication({
        ...common,
        alone,
        dir: join(root, 'duckdb'),
        link: join(root, 'coinlake.duckdb'),
      }),
    parquet: () => createParquetPublication({ ...common, ...treePlace(root), version: 'v2' }),
    delta: () => deltaAt(join(root, 'delta'), root, connection),
    bucket: () => deltaAt(placeOf(root), root, connection),
  }
  return make[kind]()
}

/** Delta tables of a sample store in a folder or bucket. */
export function deltaAt(
  place: string,
  root: string,
  connection: DuckDBConnection,
  { tables = sampleTables, warehouse = 'sample' } = {},
): Publication {
  const scratchDir = join(root, 'scratch')
  return createDeltaPublication({
    connection,
    tables,
    place,
    warehouse,
    version: 'v2',
    scratchDir,
  })
}

/** Where the publication of kind `parquet` of a root is. */
export function treePlace(root: string): { dir: string; link: string } {
  return { dir: join(root, 'parquet-versions'), link: join(root, 'parquet') }
}

/** Where the publication of kind `bucket` of a root is. */
export function placeOf(root: string): string {
  return `s3://${BUCKET}/${basename(root)}`
}
