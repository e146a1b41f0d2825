import type { DuckDBConnection } from '@duckdb/node-api'
import type { TableSpec } from '../../datasets/dataset.ts'
import { commentSql, createTableSql } from '../../datasets/table/ddl.ts'

/** Makes the tables that are missing as the first plan of their dataset does, for rows that a test writes by hand. */
export async function makeTables(
  connection: DuckDBConnection,
  tables: readonly TableSpec[],
): Promise<void> {
  const standing = await connection.runAndReadAll(
    'SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()',
  )
  const names = new Set(standing.getRows().flat())
  for (const table of tables.filter(({ name }) => !names.has(name))) {
    for (const sql of [createTableSql(table), ...commentSql(table)]) await connection.run(sql)
  }
}
