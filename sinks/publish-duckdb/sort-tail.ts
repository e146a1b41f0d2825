import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/ddl.ts'
import { ledgerColumn, ledgerTable } from '../ledger/ledger-table.ts'
import { loadsTable } from '../ledger/loads.ts'
import { NEWEST_SCHEMA } from '../newest/newest-tables.ts'
import type { StoreReader } from '../publish/store-reader.ts'

/** Up to which load the rows of a table lie in reading order. */
export const sortedTable = ledgerTable(
  '_sorted',
  'Up to which load the rows of a table lie by series and time.',
  ['table_name'],
  [
    ledgerColumn('table_name', 'string', 'The table.'),
    ledgerColumn('load_id', 'integer', 'The newest of those loads.'),
  ],
)

/** Rows that DuckDB reads or passes over at once. */
const GROUP_ROWS = 122_880
/** A query of one series may pass over so many rows of others, measured: some 20 ms. */
const MOST_PASSED_ROWS = 1_000_000
/** And over this part of a table. */
const MOST_PASSED_SHARE = 0.1
/** Rows that are sorted in one turn, between which loads have theirs: 1 to 2 s. */
const TURN_ROWS = 500_000

/** When rows are sorted, and how many at once; a test has fewer. */
export interface SortBounds {
  mostPassedRows?: number
  turnRows?: number
}

/**
 * Sorts the rows that came since the last sorting, by series and time, where they have come to lie in each
 * other's way: hourly loads leave the points of all coins mixed, and a query of one coin passes over all of them.
 * Rows keep their values, and a table ends as a few sorted stretches. A sorting that is killed is begun again.
 *
 * @param alone runs work while nobody else writes to the store
 */
export async function sortTail(
  store: StoreReader,
  spec: TableSpec,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
  { mostPassedRows = MOST_PASSED_ROWS, turnRows = TURN_ROWS }: SortBounds = {},
): Promise<void> {
  const table = store.table(spec.name)
  const sorted = store.table(sortedTable.name, NEWEST_SCHEMA)
  const name = quoteText(spec.name)
  const numbers = async (sql: string): Promise<number[]> =>
    Object.values((await store.rows(sql))[0] ?? {}).map(Number)
  const [from = 0] = await numbers(
    `SELECT coalesce(max(load_id), 0) FROM ${sorted} WHERE table_name = ${name}`,
  )
  const [to = 0, loaded = 0] = await numbers(
    `SELECT coalesce(max(load_id), 0), coalesce(sum(rows_inserted + rows_replaced), 0)
     FROM ${store.table(loadsTable.name)} WHERE load_id > ${from}`,
  )
  if (loaded <= mostPassedRows) return
  const isTail = `load_id > ${from} AND load_id <= ${to}`
  const [all = 0, tail = 0] = await numbers(
    `SELECT count(*), count(*) FILTER (${isTail}) FROM ${table}`,
  )
  const bound = Math.max(mostPassedRows, all * MOST_PASSED_SHARE)
  if (tail <= bound) return
  const series = quoteName(spec.sort[0]!)
  const [passed = 0] = await numbers(
    `SELECT count(DISTINCT rowid // ${GROUP_ROWS}) * ${GROUP_ROWS} - count(*) FROM ${table}
     WHERE ${isTail} AND ${series} = (SELECT ${series} FROM ${table} ORDER BY rowid DESC LIMIT 1)`,
  )
  if (passed > bound) {
    const order = spec.sort.map(quoteName).join(', ')
    for (const [first, last] of await stretches(store, table, { series, isTail, turnRows })) {
      const isMeant = `${isTail} AND ${series} BETWEEN ${quoteText(first)} AND ${quoteText(last)}`
      await alone(() =>
        store.snapshot(() =>
          store.script([
            `CREATE OR REPLACE TEMP TABLE tail AS SELECT * FROM ${table} WHERE ${isMeant}`,
            `DELETE FROM ${table} WHERE ${isMeant}`,
            `INSERT INTO ${table} SELECT * FROM tail ORDER BY ${order}`,
            'DROP TABLE tail',
          ]),
        ),
      )
    }
  }
  await alone(() =>
    store.snapshot(() =>
      store.script([
        `DELETE FROM ${sorted} WHERE table_name = ${name}`,
        `INSERT INTO ${sorted} VALUES (${name}, ${to})`,
      ]),
    ),
  )
}

/** First and last of some series after the other, with about the rows of one turn. */
async function stretches(
  store: StoreReader,
  table: string,
  { series, isTail, turnRows }: { series: string; isTail: string; turnRows: number },
): Promise<[string, string][]> {
  const rows = await store.rows(
    `SELECT min(s)::VARCHAR AS first, max(s)::VARCHAR AS last FROM (
       SELECT ${series} AS s, (sum(count(*)) OVER (ORDER BY ${series}) - 1) // ${turnRows} AS turn
       FROM ${table} WHERE ${isTail} GROUP BY ${series})
     GROUP BY turn ORDER BY turn`,
  )
  return rows.map((row) => [String(row['first']), String(row['last'])])
}
