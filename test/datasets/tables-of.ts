import type { Dataset, PageTables, Row, Slice } from '../../datasets/dataset.ts'
import { pageOf } from './context.ts'
import { rowsOf } from './rows-of.ts'

/** A body as its page and the rows of its tables, as if just fetched. */
export function tablesOf(
  dataset: Dataset,
  body: unknown,
  slice: Partial<Slice> = {},
): { page: PageTables; rows: Record<string, Row[]> } {
  const made = dataset.toTables(body, pageOf(dataset, slice))
  const rows = made.tables.map(({ table, rows }) => {
    const spec = dataset.tables.find(({ name }) => name === table)!
    return [table, rowsOf(spec, rows)] as const
  })
  return { page: made, rows: Object.fromEntries(rows) }
}
