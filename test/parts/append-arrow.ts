import type { DuckDBConnection } from '@duckdb/node-api'
import type { Table as ArrowTable } from 'apache-arrow'
import type { Column } from '../../datasets/dataset.ts'
import { openArrowAppender } from '../../sinks/arrow-into-duckdb.ts'

/** Appends one Arrow table as a load does: by a table with the number of the page. @returns the number of rows */
export async function appendArrow(
  connection: DuckDBConnection,
  tableName: string,
  rows: ArrowTable,
  columns: readonly Column[],
): Promise<number> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE appended AS SELECT *, 0::BIGINT AS page_no FROM ${tableName} LIMIT 0`,
  )
  const appender = await openArrowAppender(connection, 'appended', columns)
  try {
    appender.append(rows, 0n)
  } finally {
    appender.close()
  }
  await connection.run(`INSERT INTO ${tableName} SELECT * EXCLUDE (page_no) FROM appended`)
  return rows.numRows
}
