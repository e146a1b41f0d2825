import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Publication } from '../../../sinks/publication.ts'
import { createDuckdbPublication } from '../../../sinks/publish-duckdb/duckdb-publication.ts'
import { createParquetPublication } from '../../../sinks/publish-parquet/parquet-publication.ts'
import { ledger, sampleTables } from './sample-store.ts'

/** Either publication of a sample store, below `root`. */
export function publicationOf(
  kind: 'duckdb' | 'parquet',
  root: string,
  connection: DuckDBConnection,
): Publication {
  const common = { connection, tables: sampleTables }
  return kind === 'duckdb'
    ? createDuckdbPublication({
        ...common,
        ledgerTables: ledger,
        dir: join(root, 'duckdb'),
        link: join(root, 'coinlake.duckdb'),
      })
    : createParquetPublication({ ...common, dir: join(root, 'parquet'), version: 'v2' })
}
