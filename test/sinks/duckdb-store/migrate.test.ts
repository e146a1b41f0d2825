import { expect, test } from 'vitest'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { columnComment, duckdbType, storedColumns } from '../../../datasets/table/ddl.ts'
import { frozenClock } from '../../../config/clock.ts'
import { openStore, type Store } from '../../../sinks/duckdb-store/open-store.ts'
import { coverageView } from '../../../sinks/ledger/coverage-view.ts'
import { ledgerTables } from '../../../sinks/ledger/ledger-tables.ts'
import { hours, memoryStage, ticksRows } from './memory-stage.ts'
import { makeTables } from '../../parts/make-tables.ts'
import { openTestStore, planEach } from './open-test-store.ts'
import { tempFolder } from './temp-folder.ts'
import { DATASETS, daySlice, HOUR_MS, START_MS, TABLES, ticksSlice } from './test-dataset.ts'

const temp = tempFolder()

/** The tables as an older coinlake had them: without ticks' rank, note and comments, without names. */
function olderTables(): TableSpec[] {
  return TABLES.filter(({ name }) => name !== 'names').map((table) => ({
    ...table,
    description: `Old: ${table.description}`,
    columns: table.columns
      .filter(({ name }) => name !== 'rank' && name !== 'note')
      .map((column) => ({ ...column, description: `Old: ${column.description}` })),
  }))
}

test('every table and column has the type and comment of its spec', async () => {
  const store = await openTestStore(temp.path('new'))
  const specs = [
    ...TABLES.map((table) => ({ ...table, columns: storedColumns(table) })),
    ...ledgerTables,
    coverageView,
  ]
  const expected = specs.flatMap((spec) =>
    spec.columns.map((column) => ({
      table_name: spec.name,
      about: spec.description,
      column_name: column.name,
      data_type: duckdbType(column.type).replace('TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE'),
      comment: columnComment(column),
    })),
  )
  const actual = await store.query(
    `SELECT c.table_name, coalesce(t.comment, v.comment) AS about, c.column_name, c.data_type, c.comment
     FROM duckdb_columns() c LEFT JOIN duckdb_tables() t USING (database_name, table_name)
     LEFT JOIN duckdb_views() v ON v.database_name = c.database_name AND v.view_name = c.table_name
     WHERE c.database_name = current_database() AND NOT c.internal`,
  )
  const byName = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b))
  expect(actual.sort(byName)).toEqual(expected.sort(byName))
  await store.close()
})

test('the ledger of an older store, whose newer columns stand last, is written like a new one', async () => {
  const written = async (file: string) => {
    const store = await openTestStore(file)
    const run = { runId: 'run', orderId: 'o', startedAtMs: START_MS, coinlakeVersion: '1' }
    const slice = ticksSlice(0, 3)
    await store.writePlan({ ...run, purpose: 'refetch', schedule: 'hourly' }, [slice])
    const stage = memoryStage()
    stage.put({ slice, fetchedAtMs: START_MS + HOUR_MS, columns: ticksRows(hours(0, 3)) })
    await store.load({ runId: 'run', ordinals: [0], nowMs: START_MS + HOUR_MS }, stage)
    const shown = []
    for (const { name, columns } of ledgerTables) {
      if (name === '_schema_versions') continue
      const names = columns
        .map((column) => column.name)
        .filter((column) => !/^(updated_at|loaded_at)$/.test(column))
      shown.push(await store.query(`SELECT '${name}' AS t, ${names.join(', ')} FROM ${name}`))
    }
    await store.close()
    return shown
  }
  const file = temp.path('older-ledger')
  const old = await openTestStore(file)
  const connection = await old.connect()
  for (const { name, columns, key } of ledgerTables) {
    // The nullable ones in the middle, as if an older coinlake had not known them.
    const middle = columns
      .slice(0, -1)
      .filter((one) => one.nullable !== false && !key.includes(one.name))
    for (const column of middle.filter((_, place) => place % 2 === 0)) {
      await connection.run(`ALTER TABLE ${name} DROP COLUMN ${column.name}`)
    }
  }
  connection.closeSync()
  await old.close()
  expect(await written(file)).toEqual(await written(temp.path('new-ledger')))
})

test('an older store gets new tables, columns and comments, keeps its rows, and learns which of them move', async () => {
  const file = temp.path('older')
  const old = await openTestStore(file, olderTables())
  await planEach(old)
  await old.freezeUniverse('top:1', ['bitcoin'], START_MS)
  const connection = await old.connect()
  await connection.run('ALTER TABLE ticks DROP COLUMN is_moving')
  await connection.run(
    `INSERT INTO ticks BY NAME SELECT 'bitcoin' AS coin_id, 'usd' AS vs_currency, '1h' AS granularity,
       to_timestamp(${START_MS / 1000} + i) AS ts, 7.5 + i AS price, i = 1 AS is_provisional,
       to_timestamp(0) AS fetched_at, 's' AS slice_id, 1 AS load_id FROM range(2) t(i)`,
  )
  connection.closeSync()
  await old.close()

  const store = await openTestStore(file)
  expect(await store.query('SELECT price, rank, note, is_moving FROM ticks ORDER BY ts')).toEqual([
    { price: 7.5, rank: null, note: null, is_moving: false },
    { price: 8.5, rank: null, note: null, is_moving: true },
  ])
  expect(await store.universe('top:1')).toEqual(['bitcoin'])
  const changes = await store.query(
    `SELECT change FROM _schema_versions WHERE change NOT LIKE 'comment %' ORDER BY rowid DESC LIMIT 4`,
  )
  expect(changes.map((row) => row['change'])).toEqual([
    'table names',
    'column ticks.is_moving',
    'column ticks.note',
    'column ticks.rank',
  ])
  const comments = await store.query(
    `SELECT count(*) AS old FROM duckdb_columns() WHERE comment LIKE 'Old:%'
     UNION ALL SELECT count(*) FROM duckdb_tables() WHERE comment LIKE 'Old:%'`,
  )
  expect(comments).toEqual([{ old: 0 }, { old: 0 }])

  // Columns stand in another order now than in the spec: a load must go by name.
  const stage = memoryStage()
  const run = { runId: 'r', orderId: 'o', startedAtMs: START_MS, coinlakeVersion: '1' }
  await store.writePlan(run, [ticksSlice(1, 3)])
  const columns = ticksRows(hours(1, 3), (hour) => hour, { note: { constant: 'new' } })
  stage.put({ slice: ticksSlice(1, 3), fetchedAtMs: START_MS + 99 * HOUR_MS, columns })
  await store.load({ runId: 'r', ordinals: [0], nowMs: START_MS }, stage)
  const rows = await store.query('SELECT price, rank, note, is_stale FROM ticks ORDER BY ts')
  expect(rows.slice(2)).toEqual([
    { price: 1, rank: 1, note: 'new', is_stale: false },
    { price: 2, rank: 1, note: 'new', is_stale: false },
  ])
  await store.close()
  // Appended in the order of the columns, as to a new one.
  const specified = storedColumns(TABLES[0]!).map(({ name }) => name)
  expect(specified.at(-1)).toBe('is_moving')
})

test('a store with a column more than the specs is used as it is', async () => {
  const file = temp.path('wider')
  const wider = await openTestStore(file)
  await planEach(wider)
  await wider.close()
  const store = await openTestStore(file, olderTables())
  expect(await store.query('SELECT rank, note FROM ticks')).toEqual([])
  await store.close()
})

test('slices of snapshots get how often they are taken as granularity, by the length of their bucket', async () => {
  const file = temp.path('without-every')
  const old = await openTestStore(file)
  const run = { runId: 'run', orderId: 'o', startedAtMs: START_MS, coinlakeVersion: '1' }
  const lengthsMs = [24, 7 * 24, 6, 1.5].map((hours) => hours * HOUR_MS)
  const spots = lengthsMs.map((lengthMs) => {
    const { fromMs } = daySlice('spots')
    return { ...daySlice('spots'), granularity: '' as const, toMs: fromMs + lengthMs }
  })
  const gone = { ...daySlice('spots'), dataset: 'gone', granularity: '' as const }
  await old.writePlan(run, [...spots, gone, ticksSlice(0, 3)])
  await old.close()
  const store = await openTestStore(file)
  const shown = await store.query('SELECT dataset, granularity FROM _slices ORDER BY ordinal')
  expect(shown.map((row) => `${row['dataset']} ${row['granularity']}`)).toEqual([
    'spots 1d',
    'spots 7d',
    'spots 6h',
    'spots 90m',
    'gone ',
    'ticks 1h',
  ])
  await store.close()
})

test('tables come with the first plan of their dataset; those that an older store has unasked go', async () => {
  const file = temp.path('first-orders')
  const open = () =>
    openStore({
      file,
      datasets: DATASETS,
      coinlakeVersion: '1.2.3',
      clock: frozenClock(START_MS),
    })
  const tablesOf = async (store: Store): Promise<unknown[]> =>
    (await store.query('SHOW TABLES')).map((row) => row['name'])
  const ledger = [...ledgerTables, coverageView].map(({ name }) => name).sort()
  const fresh = await open()
  expect(await tablesOf(fresh)).toEqual(ledger)
  const run = { runId: 'run', orderId: 'o', startedAtMs: START_MS, coinlakeVersion: '1' }
  await fresh.writePlan(run, [ticksSlice(0, 3)])
  await fresh.writePlan({ ...run, runId: 'again' }, [ticksSlice(3, 6)])
  expect(await tablesOf(fresh)).toEqual([...ledger, 'ticks'])
  const made = `SELECT change FROM _schema_versions WHERE change LIKE '%table ticks' OR change LIKE '%table spots'`
  expect(await fresh.query(made)).toEqual([{ change: 'table ticks' }])
  // An older coinlake made them all; of one there are rows, and nobody knows whose.
  const connection = await fresh.connect()
  await makeTables(connection, TABLES)
  await connection.run(
    `INSERT INTO names BY NAME SELECT 'bitcoin' AS coin_id, to_timestamp(0) AS fetched_at, 's' AS slice_id, 1 AS load_id`,
  )
  connection.closeSync()
  await fresh.close()
  const store = await open()
  expect(await tablesOf(store)).toEqual([...ledger, 'names', 'ticks'])
  // A table of an ordered dataset that somebody has dropped comes back, so that verify can name its rows.
  const hand = await store.connect()
  await hand.run('DROP TABLE ticks')
  hand.closeSync()
  await store.close()
  const again = await open()
  expect(await tablesOf(again)).toEqual([...ledger, 'names', 'ticks'])
  await again.close()
})
