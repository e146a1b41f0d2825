import type { DuckDBConnection } from '@duckdb/node-api'
import { plot } from 'asciichart'
import { alignColumns } from '../render/align-columns.ts'
import type { DemoQuestion } from './questions.ts'

const CHART_HEIGHT = 12

export async function answer(
  connection: DuckDBConnection,
  question: DemoQuestion,
): Promise<string[]> {
  const reader = await connection.runAndReadAll(question.sql)
  const rows = reader.getRowsJson()
  if (question.show === 'table') {
    const texts = rows.map((row) =>
      row.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    )
    const numeric = (rows[0] ?? []).flatMap((value, column) =>
      typeof value === 'number' ? [column] : [],
    )
    return alignColumns(reader.columnNames(), texts, numeric)
  }
  const prices = rows.map((row) => Number(row[1])).reverse()
  const days = rows.map((row) => JSON.stringify(row[0]).slice(1, 11)).reverse()
  const lines = plot(prices, { height: CHART_HEIGHT }).split('\n')
  return [...lines, `${' '.repeat(12)}${days[0] ?? ''} ... ${days.at(-1) ?? ''}`]
}
