import type { OpenPublication } from '../query/open-published.ts'
import { QueryError } from '../query/query-error.ts'

/**
 * Names of the tables and views of a published file.
 *
 * @param root the warehouse, for the message
 * @throws QueryError NO_DUCKDB_PUBLICATION: dbt can attach no Parquet tree
 */
export async function publishedNames(
  { kind, rows }: Pick<OpenPublication, 'kind' | 'rows'>,
  root: string,
): Promise<ReadonlySet<string>> {
  if (kind !== 'duckdb') {
    throw new QueryError(`no DuckDB file is published in ${root}`, {
      code: 'NO_DUCKDB_PUBLICATION',
      hint: 'Add duckdb to `sinks` in coinlake.yaml and run `coinlake backfill`: dbt attaches that file.',
    })
  }
  const found = await rows(
    `SELECT table_name FROM information_schema.tables
     WHERE table_catalog = current_database() AND table_schema = 'main'`,
  )
  return new Set(found.map((row) => String(row['table_name'])))
}
