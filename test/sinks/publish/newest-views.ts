import type { DuckDBConnection } from '@duckdb/node-api'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { quoteName } from '../../../datasets/table/ddl.ts'
import {
  NEWEST_SCHEMA,
  newestRelation,
  newestSql,
  newestTablesOf,
} from '../../../sinks/newest/newest-tables.ts'

/** The tables of newest rows as views, for sessions that have `tables` and no publication. */
export async function createNewestViews(
  connection: DuckDBConnection,
  tables: readonly TableSpec[],
): Promise<void> {
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${NEWEST_SCHEMA}`)
  for (const newest of newestTablesOf(tables)) {
    const sql = newestSql(newest, `main.${quoteName(newest.source.name)}`)
    await connection.run(`CREATE VIEW ${newestRelation(newest.source)} AS ${sql}`)
  }
}
