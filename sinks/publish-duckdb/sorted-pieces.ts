import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText, storedColumns } from '../../datasets/ddl.ts'
import type { StoreReader } from '../publish/store-reader.ts'

/**
 * About 65 MB: a sort of four million rows at once took 750 MB. At least three whole row groups of
 * DuckDB (122,880): smaller pieces leave parts of groups so near to each other that a checkpoint
 * merges them, and the file keeps the space of both.
 */
const ROWS_SORTED_AT_ONCE = 500_000

/**
 * Copies rows of a table of the store into `target` (SQL), in the table's order. Returns how many.
 *
 * @param where SQL condition for the rows that are wanted
 */
export async function insertSorted(
  store: StoreReader,
  table: TableSpec,
  target: string,
  where = 'true',
): Promise<number> {
  const names = storedColumns(table).map((column) => quoteName(column.name))
  let rows = 0
  for (const piece of await sortedPieces(store, table, ROWS_SORTED_AT_ONCE, where)) {
    rows += await store.count(
      `INSERT INTO ${target} (${names.join(', ')}) SELECT ${names.join(', ')}
       FROM ${store.table(table.name)} WHERE (${where}) AND ${piece}
       ORDER BY ${table.sort.map(quoteName).join(', ')}`,
    )
  }
  return rows
}

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
  where = 'true',
): Promise<string[]> {
  const first = table.columns.find(({ name }) => name === table.sort[0])
  // Of a column that may be null a range would leave rows out; key columns never are.
  if (first?.type !== 'string' || !table.key.includes(first.name)) return ['true']
  const source = `${store.table(table.name)} WHERE ${where}`
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
