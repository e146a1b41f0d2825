import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/ddl.ts'
import type { StoreReader } from '../publish/store-reader.ts'

/**
 * Cuts a table into pieces that, sorted one after the other, give the table sorted: a sort takes
 * memory for all of its rows. Pieces are ranges of the first sort column, so a single value with more
 * rows than `maxRows` stays whole.
 *
 * @returns SQL conditions, in the order of the sort; one that holds for all rows when there is no need
 *   to cut.
 */
export async function sortedPieces(
  store: StoreReader,
  table: TableSpec,
  maxRows: number,
): Promise<string[]> {
  const first = table.columns.find(({ name }) => name === table.sort[0])
  // Of a column that may be null a range would leave rows out; key columns never are.
  if (first?.type !== 'string' || !table.key.includes(first.name)) return ['true']
  const source = store.table(table.name)
  const [counted] = await store.rows(`SELECT count(*) AS row_count FROM ${source}`)
  if (Number(counted?.['row_count']) <= maxRows) return ['true']
  const column = quoteName(first.name)
  const pieces = await store.rows(
    `SELECT min(value) AS low, max(value) AS high FROM (
       SELECT value, sum(row_count) OVER (ORDER BY value) - row_count AS rows_before FROM (
         SELECT ${column} AS value, count(*) AS row_count FROM ${source} GROUP BY ${column}))
     GROUP BY rows_before // ${maxRows} ORDER BY low`,
  )
  return pieces.map(
    ({ low, high }) => `${column} BETWEEN ${quoteText(String(low))} AND ${quoteText(String(high))}`,
  )
}
