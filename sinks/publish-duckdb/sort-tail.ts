import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
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
/** A query of one series may pass over this many rows of others: some 20 ms, as measured. */
const MOST_PASSED_ROWS = 1_000_000
/** And over this part of a table. */
const MOST_PASSED_SHARE = 0.1
/** Rows are in order where a query passes over this part of that: a series that lies in a few loads, or over a seam. */
const ORDERED_SHARE = 0.3
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
  const series = seriesOf(spec)
  if (tail <= bound || series.length === 0) return
  const [passed = 0] = await numbers(
    `SELECT quantile_disc(passed, 0.9) FROM (
       SELECT count(DISTINCT rowid // ${GROUP_ROWS}) * ${GROUP_ROWS} - count(*) AS passed
       FROM ${table} WHERE ${isTail} GROUP BY ${series.join(', ')})`,
  )
  if (passed > bound) {
    const order = spec.sort.map(quoteName).join(', ')
    const turns = await cutIntoTurns(store, table, { series, isTail, turnRows })
    for (let turn = 0; turn < turns; turn += 1) {
      const isMeant = `${isTail} AND (${series.join(', ')}) IN
        (SELECT (${series.join(', ')}) FROM temp.sort_turns WHERE turn = ${turn})`
      await alone(() =>
        store.snapshot(() =>
          store.script([
            `CREATE OR REPLACE TEMP TABLE sort_tail AS SELECT * FROM ${table} WHERE ${isMeant}`,
            `DELETE FROM ${table} WHERE ${isMeant}`,
            `INSERT INTO ${table} SELECT * FROM temp.sort_tail ORDER BY ${order}`,
            'DROP TABLE temp.sort_tail',
          ]),
        ),
      )
    }
    await store.run('DROP TABLE temp.sort_turns')
  } else if (passed > Math.max(bound * ORDERED_SHARE, 2 * GROUP_ROWS)) {
    // Neither in order nor in the way yet: looked at again with what comes.
    return
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

/** The columns of a series: those of the reading order before its time. */
function seriesOf({ sort, columns }: TableSpec): string[] {
  const isTime = (name: string): boolean =>
    columns.some((column) => column.name === name && column.type === 'timestamp')
  const time = sort.findIndex(isTime)
  return sort.slice(0, time < 0 ? sort.length : time).map(quoteName)
}

/** Numbers the series, and puts as many into a turn as have about its rows; returns the count of turns. */
async function cutIntoTurns(
  store: StoreReader,
  table: string,
  { series, isTail, turnRows }: { series: readonly string[]; isTail: string; turnRows: number },
): Promise<number> {
  const names = series.join(', ')
  await store.run(
    `CREATE OR REPLACE TEMP TABLE sort_turns AS
     SELECT ${names}, dense_rank() OVER (ORDER BY part) - 1 AS turn FROM (
       SELECT ${names}, (sum(count(*)) OVER (ORDER BY ${names}) - 1) // ${turnRows} AS part
       FROM ${table} WHERE ${isTail} GROUP BY ${names})`,
  )
  const [row] = await store.rows('SELECT coalesce(max(turn), -1) + 1 AS turns FROM temp.sort_turns')
  return Number(row?.['turns'])
}
