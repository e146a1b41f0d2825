import type { DuckDBConnection } from '@duckdb/node-api'
import { rowsOf } from '../rows-of.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { contentsTable } from '../ledger/row-tables.ts'
import { columnsOf, newestSql, type NewestTable } from './newest-tables.ts'

const ROWS = 'temp.newest_rows'
const ARRIVED = 'temp.newest_arrived'
const LOST = 'temp.newest_lost'

/** A newest table as it is published. */
export interface NewestBefore {
  /** SQL of its rows, to select from. */
  relation: string
  /** The newest load in the table. The store must have the same past up to this load. */
  loadId: number
}

/**
 * Writes the present rows of a newest table into a TEMP table. With `before`, only rows of later loads are read. If a
 * series lost its newest row and got no later one, its history is read.
 *
 * @returns the name of the TEMP table, which the next call overwrites
 */
export async function newestRows(
  connection: DuckDBConnection,
  newest: NewestTable,
  before: NewestBefore | null,
): Promise<string> {
  const source = quoteName(newest.source.name)
  if (before === null) {
    await connection.run(`CREATE OR REPLACE TEMP TABLE newest_rows AS ${newestSql(newest, source)}`)
    return ROWS
  }
  const { relation, loadId } = before
  const [series, columns] = [newest.series.map(quoteName).join(', '), columnsOf(newest)]
  const arrived = newestSql(newest, source, `load_id > ${loadId}`)
  await connection.run(`CREATE OR REPLACE TEMP TABLE newest_arrived AS ${arrived}`)
  await findLost(connection, newest, before)
  // Only the history has the present row of a lost series. Of two rows for one time the later load's is present.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE newest_rows AS SELECT ${columns} FROM (
       SELECT ${columns} FROM ${relation} ANTI JOIN ${LOST} USING (${series})
       UNION ALL SELECT ${columns} FROM ${ARRIVED} ANTI JOIN ${LOST} USING (${series})
       UNION ALL ${await foundAgainSql(connection, newest)})
     QUALIFY row_number() OVER (PARTITION BY ${series} ORDER BY ${quoteName(newest.time)} DESC, load_id DESC) = 1`,
  )
  return ROWS
}

/** Writes into LOST the series whose newest row was removed, and that got no row of that time or a later one. */
async function findLost(
  connection: DuckDBConnection,
  newest: NewestTable,
  { relation, loadId }: NewestBefore,
): Promise<void> {
  const { series, time, source } = newest
  const names = series.map((name) => `b.${quoteName(name)}`).join(', ')
  const areEqualSql = (columns: readonly string[], alias: string): string =>
    columns.map((name) => `${alias}.${quoteName(name)} = b.${quoteName(name)}`).join(' AND ')
  const touched = `SELECT DISTINCT slice_id, load_id FROM ${contentsTable.name}
    WHERE table_name = ${quoteText(source.name)} AND changed_by > ${loadId} AND load_id <= ${loadId}`
  const suspects = `SELECT b.* FROM ${relation} b
    SEMI JOIN (${touched}) t ON t.slice_id = b.slice_id AND t.load_id = b.load_id
    ANTI JOIN ${ARRIVED} a ON ${areEqualSql(series, 'a')} AND a.${quoteName(time)} >= b.${quoteName(time)}`
  const [bounds] = await rowsOf(
    connection,
    `SELECT min(load_id) AS low, max(load_id) AS high FROM (${suspects})`,
  )
  // The bounds are constants, so DuckDB skips row groups without such loads.
  const within =
    (bounds?.['low'] ?? null) === null
      ? 'false'
      : `load_id BETWEEN ${String(bounds?.['low'])} AND ${String(bounds?.['high'])}`
  const identity = [...series, time, 'slice_id', 'load_id']
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE newest_lost AS SELECT ${names} FROM (${suspects}) b
     ANTI JOIN (SELECT ${identity.map(quoteName).join(', ')} FROM ${quoteName(source.name)} WHERE ${within}) s
       ON ${areEqualSql(identity, 's')}`,
  )
}

async function foundAgainSql(connection: DuckDBConnection, newest: NewestTable): Promise<string> {
  const source = quoteName(newest.source.name)
  const [entity = ''] = newest.series
  const isFlagged = newest.series.includes('is_moving')
  const [lost] = await rowsOf(
    connection,
    `SELECT count(*) AS lost, ${isFlagged ? 'bool_and(is_moving)' : 'false'} AS only_moving FROM ${LOST}`,
  )
  if (Number(lost?.['lost']) === 0) return newestSql(newest, source, 'false')
  // Few rows are moving. Row groups without one are not read.
  const flag = lost?.['only_moving'] === true ? 'is_moving AND ' : ''
  const where = `${flag}${quoteName(entity)} IN (SELECT ${quoteName(entity)} FROM ${LOST})`
  const series = newest.series.map(quoteName).join(', ')
  return `SELECT ${columnsOf(newest)} FROM (${newestSql(newest, source, where)}) SEMI JOIN ${LOST} USING (${series})`
}
