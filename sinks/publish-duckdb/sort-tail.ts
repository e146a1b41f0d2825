import type { DuckDBConnection } from '@duckdb/node-api'
import { rowsOf } from '../rows-of.ts'
import { inTransaction } from '../in-transaction.ts'
import { column } from '../../datasets/table/column.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText, storedColumns } from '../../datasets/table/ddl.ts'
import { ledgerTable } from '../ledger/ledger-table.ts'
import { loadsTable } from '../ledger/run-tables.ts'
import { NEWEST_SCHEMA } from '../newest/newest-tables.ts'

export const sortNotesTable = ledgerTable(
  '_sorted',
  'The load up to which the rows of a table are sorted by series and time.',
  ['table_name'],
  [
    column('table_name', 'string', 'The table.'),
    column('load_id', 'integer', 'The newest load whose rows are sorted.'),
  ],
)

/** Rows that DuckDB reads or skips at once. */
const GROUP_ROWS = 122_880
/** Rows of other series that a query of one series may read, in some 20 ms. */
const MAX_OTHER_ROWS = 1_000_000
/** The same bound as a part of the table. The greater of the two bounds holds. */
const MAX_OTHER_SHARE = 0.1
/** Rows count as sorted if a query reads at most this part of the bound above. */
const ORDERED_SHARE = 0.3
/**
 * Values that are sorted in one turn of 1 to 5 s, within DuckDB's usual 128 MiB. Turns of 500,000 rows of 16 columns, and of
 * 123,000 of 46, did not fit. Loads get turns in between.
 */
const TURN_VALUES = 3_000_000

export interface SortOptions {
  maxOtherRows?: number
  turnRows?: number
}

/**
 * Sorts the rows since the last sorting, once a query would read too many other rows. Hourly loads leave the points of
 * all coins mixed, so a query of one coin reads all of them. Rows keep their values, and a table ends as a few sorted
 * stretches. A killed sorting begins again.
 *
 * @param alone runs work while nobody else writes to the store
 */
export async function sortTail(
  connection: DuckDBConnection,
  spec: TableSpec,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
  { maxOtherRows = MAX_OTHER_ROWS, turnRows = rowsOfTurn(spec) }: SortOptions = {},
): Promise<void> {
  const table = quoteName(spec.name)
  const sortedRelation = `${NEWEST_SCHEMA}.${sortNotesTable.name}`
  const name = quoteText(spec.name)
  const numbers = async (sql: string): Promise<number[]> =>
    Object.values((await rowsOf(connection, sql))[0] ?? {}).map(Number)
  const runAlone = async (sql: string): Promise<unknown> =>
    await alone(() => inTransaction(connection, () => connection.run(sql)))
  const [from = 0] = await numbers(
    `SELECT coalesce(max(load_id), 0) FROM ${sortedRelation} WHERE table_name = ${name}`,
  )
  const [to = 0, loaded = 0] = await numbers(
    `SELECT coalesce(max(load_id), 0), coalesce(sum(rows_inserted + rows_replaced), 0)
     FROM ${loadsTable.name} WHERE load_id > ${from}`,
  )
  if (loaded <= maxOtherRows) return
  const tailCondition = `load_id > ${from} AND load_id <= ${to}`
  const [all = 0, tail = 0] = await numbers(
    `SELECT count(*), count(*) FILTER (${tailCondition}) FROM ${table}`,
  )
  const bound = Math.max(maxOtherRows, all * MAX_OTHER_SHARE)
  const series = seriesOf(spec)
  if (tail <= bound || series === '') return
  const [otherRows = 0] = await numbers(
    `SELECT quantile_disc(other_rows, 0.9) FROM (
       SELECT count(DISTINCT rowid // ${GROUP_ROWS}) * ${GROUP_ROWS} - count(*) AS other_rows
       FROM ${table} WHERE ${tailCondition} GROUP BY ${series})`,
  )
  if (otherRows > bound) {
    const order = spec.sort.map(quoteName).join(', ')
    const turns = await cutIntoTurns(connection, table, { series, tailCondition, turnRows })
    for (let turn = 0; turn < turns; turn += 1) {
      const turnCondition = `${tailCondition} AND (${series}) IN
        (SELECT (${series}) FROM temp.sort_turns WHERE turn = ${turn})`
      await runAlone(
        `CREATE OR REPLACE TEMP TABLE sort_tail AS SELECT * FROM ${table} WHERE ${turnCondition};
         DELETE FROM ${table} WHERE ${turnCondition};
         INSERT INTO ${table} SELECT * FROM temp.sort_tail ORDER BY ${order};
         DROP TABLE temp.sort_tail`,
      )
    }
    await connection.run('DROP TABLE temp.sort_turns')
  } else if (otherRows > Math.max(bound * ORDERED_SHARE, 2 * GROUP_ROWS)) {
    // Neither sorted nor too mixed: the next publication checks these rows again.
    return
  }
  await runAlone(
    `DELETE FROM ${sortedRelation} WHERE table_name = ${name};
     INSERT INTO ${sortedRelation} VALUES (${name}, ${to})`,
  )
}

function rowsOfTurn(spec: TableSpec): number {
  return Math.floor(TURN_VALUES / storedColumns(spec).length)
}

/** The columns of a series as SQL: the sort columns before the time. */
function seriesOf({ sort, columns }: TableSpec): string {
  const isTime = (name: string): boolean =>
    columns.some((column) => column.name === name && column.type === 'timestamp')
  const time = sort.findIndex(isTime)
  const names = sort.slice(0, time < 0 ? sort.length : time)
  return names.map(quoteName).join(', ')
}

/** Gives each series a turn, so that a turn has about `turnRows` rows. @returns the number of turns */
async function cutIntoTurns(
  connection: DuckDBConnection,
  table: string,
  { series, tailCondition, turnRows }: { series: string; tailCondition: string; turnRows: number },
): Promise<number> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE sort_turns AS
     SELECT ${series}, dense_rank() OVER (ORDER BY part) - 1 AS turn FROM (
       SELECT ${series}, (sum(count(*)) OVER (ORDER BY ${series}) - 1) // ${turnRows} AS part
       FROM ${table} WHERE ${tailCondition} GROUP BY ${series})`,
  )
  const [row] = await rowsOf(
    connection,
    'SELECT coalesce(max(turn), -1) + 1 AS turns FROM temp.sort_turns',
  )
  return Number(row?.['turns'])
}
