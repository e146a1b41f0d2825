import { type DuckDBConnection, DuckDBDateValue, type DuckDBValue } from '@duckdb/node-api'
import type { Row, RowSelection, TableSpec } from '../../datasets/dataset.ts'
import { selectionSql } from './selection-sql.ts'

/**
 * The rows of a selection, read from the vectors: the client's conversion to objects costs more than the query.
 *
 * @param hasLedger as in selectionSql
 */
export async function readRows(
  connection: DuckDBConnection,
  table: TableSpec,
  selection: RowSelection,
  hasLedger: boolean,
): Promise<Row[]> {
  const { sql, values, names } = selectionSql(table, selection, hasLedger)
  const result = await connection.run(sql, values)
  const rows: Row[] = []
  const dates = new Map<number, string>()
  for (const chunk of await result.fetchAllChunks()) {
    const first = rows.length
    const { rowCount } = chunk
    // The query leaves out columns that the selection fixes: their values are known.
    for (let row = 0; row < rowCount; row++) rows.push({ ...selection.equals })
    names.forEach((name, index) => {
      const vector = chunk.getColumnVector(index)
      for (let row = 0; row < rowCount; row++) {
        rows[first + row]![name] = scalar(vector.getItem(row), dates)
      }
    })
  }
  return rows
}

function scalar(value: DuckDBValue, dates: Map<number, string>): Row[string] {
  if (!(value instanceof DuckDBDateValue)) return value as Row[string]
  const known = dates.get(value.days)
  if (known !== undefined) return known
  const text = value.toString()
  dates.set(value.days, text)
  return text
}
