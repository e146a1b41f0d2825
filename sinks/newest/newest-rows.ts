import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { contentsTable } from '../ledger/contents.ts'
import type { StoreReader } from '../publish/store-reader.ts'
import { columnsOf, newestSql } from './newest-sql.ts'
import type { NewestTable } from './newest-tables.ts'

/** TEMP tables of the store's connection; each call makes them anew. */
const ROWS = 'temp.newest_rows'
const ARRIVED = 'temp.newest_arrived'
const LOST = 'temp.newest_lost'

/** A newest table as it was. */
export interface NewestBefore {
  /** Its rows as SQL to select from. */
  relation: string
  /** The load up to which it is exact. The store must continue that past. */
  loadId: number
}

/**
 * Puts the rows of a newest table as the store has them now into a TEMP table, until the next call, and
 * gives its name. With `before`, only what later loads have written is read: a row that one of them took
 * away is looked for anew among the rows of its series, unless a later row has come in its place.
 *
 * @param before null = from the whole history
 */
export async function newestRows(
  store: StoreReader,
  newest: NewestTable,
  before: NewestBefore | null,
): Promise<string> {
  const source = store.table(newest.source.name)
  if (before === null) {
    await store.run(`CREATE OR REPLACE TEMP TABLE newest_rows AS ${newestSql(newest, source)}`)
    return ROWS
  }
  const { relation, loadId } = before
  const [series, columns] = [newest.series.map(quoteName).join(', '), columnsOf(newest)]
  const arrived = newestSql(newest, source, `load_id > ${loadId}`)
  await store.run(`CREATE OR REPLACE TEMP TABLE newest_arrived AS ${arrived}`)
  await findLost(store, newest, before)
  // A lost series is known from its rows alone. Of two answers for one time the later load's is there.
  await store.run(
    `CREATE OR REPLACE TEMP TABLE newest_rows AS SELECT ${columns} FROM (
       SELECT ${columns} FROM ${relation} ANTI JOIN ${LOST} USING (${series})
       UNION ALL SELECT ${columns} FROM ${ARRIVED} ANTI JOIN ${LOST} USING (${series})
       UNION ALL ${await foundAgain(store, newest)})
     QUALIFY row_number() OVER (PARTITION BY ${series} ORDER BY ${quoteName(newest.time)} DESC, load_id DESC) = 1`,
  )
  return ROWS
}

/** Series whose newest row left the store without a row as late in its place: they go into LOST. */
async function findLost(
  store: StoreReader,
  newest: NewestTable,
  { relation, loadId }: NewestBefore,
): Promise<void> {
  const { series, time, source } = newest
  const names = series.map((name) => `b.${quoteName(name)}`).join(', ')
  const same = (columns: readonly string[], alias: string): string =>
    columns.map((name) => `${alias}.${quoteName(name)} = b.${quoteName(name)}`).join(' AND ')
  const touched = `SELECT DISTINCT slice_id, load_id FROM ${store.table(contentsTable.name)}
    WHERE table_name = ${quoteText(source.name)} AND changed_by > ${loadId} AND load_id <= ${loadId}`
  const suspects = `SELECT b.* FROM ${relation} b
    SEMI JOIN (${touched}) t ON t.slice_id = b.slice_id AND t.load_id = b.load_id
    ANTI JOIN ${ARRIVED} a ON ${same(series, 'a')} AND a.${quoteName(time)} >= b.${quoteName(time)}`
  const [bounds] = await store.rows(
    `SELECT min(load_id) AS low, max(load_id) AS high FROM (${suspects})`,
  )
  // Constant bounds, so that row groups without such loads are passed over.
  const within =
    (bounds?.['low'] ?? null) === null
      ? 'false'
      : `load_id BETWEEN ${String(bounds?.['low'])} AND ${String(bounds?.['high'])}`
  const identity = [...series, time, 'slice_id', 'load_id']
  await store.run(
    `CREATE OR REPLACE TEMP TABLE newest_lost AS SELECT ${names} FROM (${suspects}) b
     ANTI JOIN (SELECT ${identity.map(quoteName).join(', ')} FROM ${store.table(source.name)} WHERE ${within}) s
       ON ${same(identity, 's')}`,
  )
}

/** The SELECT of the newest rows of the series in LOST. */
async function foundAgain(store: StoreReader, newest: NewestTable): Promise<string> {
  const source = store.table(newest.source.name)
  const [entity = ''] = newest.series
  const isFlagged = newest.series.includes('is_moving')
  const [lost] = await store.rows(
    `SELECT count(*) AS lost, ${isFlagged ? 'bool_and(is_moving)' : 'false'} AS only_moving FROM ${LOST}`,
  )
  if (Number(lost?.['lost']) === 0) return newestSql(newest, source, 'false')
  // Few rows are moving, and where none is nothing is read.
  const flag = lost?.['only_moving'] === true ? 'is_moving AND ' : ''
  const where = `${flag}${quoteName(entity)} IN (SELECT ${quoteName(entity)} FROM ${LOST})`
  const series = newest.series.map(quoteName).join(', ')
  return `SELECT ${columnsOf(newest)} FROM (${newestSql(newest, source, where)}) SEMI JOIN ${LOST} USING (${series})`
}
