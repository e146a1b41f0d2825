import type { DuckDBConnection } from '@duckdb/node-api'
import type { Table as ArrowTable } from 'apache-arrow'
import type { Column } from '../../datasets/dataset.ts'
import { openArrowAppender } from '../../sinks/arrow-into-duckdb.ts'

/** Appends one Arrow table, as a load does. @returns the number of rows */
export async function appendArrow(
  connection: DuckDBConnection,
  tableName: string,
  rows: ArrowTable,
  columns: readonly Column[],
): Promise<number> {
  const appender = await openArrowAppender(connection, tableName, columns)
  try {
    appender.append(rows)
  } finally {
    appender.close()
  }
  return rows.numRows
}
