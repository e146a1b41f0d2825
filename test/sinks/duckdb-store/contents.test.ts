import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sliceId } from '../../../plan/planned-slice.ts'
import type { Store } from '../../../sinks/duckdb-store/open-store.ts'
import { verifyTables } from '../../../sinks/verify/verify-tables.ts'
import type { Difference } from '../../../sinks/verify/verify-source.ts'
import { hours, ticksRows } from './memory-stage.ts'
import { openTestStore } from './open-test-store.ts'
import { verifyContextOf } from './verify-context-of.ts'
import { storeHarness, type StoreHarness } from './store-harness.ts'
import { tempFolder } from './temp-folder.ts'
import { daySlice, LATE_MS, START_MS, TABLES, ticksSlice } from './test-dataset.ts'

const folder = tempFolder()
let store: Store
let harness: StoreHarness

beforeEach(async () => {
  store = await openTestStore(folder.path('store.duckdb'))
  harness = storeHarness(store)
  for (const from of [0, 10, 20]) await harness.loadTicks(from, from + 10)
})

afterEach(async () => {
  await store.close()
})

async function damage(sql: string): Promise<Difference[]> {
  const connection = await store.connect()
  await connection.run(sql)
  connection.closeSync()
  return await verifyTables(verifyContextOf(store), TABLES)
}

const MIDDLE = ticksSlice(10, 20)
const at = (hour: number): string => `TIMESTAMPTZ '2024-01-31 00:00:00+00' + INTERVAL ${hour} HOUR`

describe('what is done to the tables by hand is named', () => {
  test.each<[string, string, Partial<Difference>]>([
    ['a row deleted', `DELETE FROM ticks WHERE ts = ${at(12)}`, { expected: '10', found: '9' }],
    [
      'a whole slice deleted',
      `DELETE FROM ticks WHERE ts >= ${at(10)} AND ts < ${at(20)}`,
      { expected: '10', found: '0' },
    ],
    [
      'a value changed',
      `UPDATE ticks SET price = -1 WHERE ts = ${at(12)}`,
      { expected: '10', found: '10, with other values' },
    ],
    [
      'two values swapped',
      `UPDATE ticks SET price = CASE WHEN ts = ${at(12)} THEN 13.1 ELSE 12.1 END WHERE ts IN (${at(12)}, ${at(13)})`,
      { expected: '10', found: '10, with other values' },
    ],
  ])('%s', async (_what, sql, facts) => {
    const slice = { check: 'rows', table: 'ticks', sliceId: sliceId(MIDDLE), slice: MIDDLE }
    expect(await damage(sql)).toMatchObject([{ ...slice, ...facts }])
  })

  test('a row twice: its slice has one too many, its key stands twice', async () => {
    const found = await damage(`INSERT INTO ticks FROM ticks WHERE ts = ${at(12)}`)
    expect(found).toMatchObject([
      { check: 'rows', expected: '10', found: '11' },
      { check: 'duplicates', found: '1 rows' },
    ])
  })

  test('rows of a slice that nobody planned, outside of theirs', async () => {
    const found = await damage(`UPDATE ticks SET slice_id = 'mine' WHERE ts = ${at(12)}`)
    expect(found.map(({ check, found: rows }) => [check, rows])).toEqual([
      ['rows', '9'],
      ['unknown_slice', '1'],
    ])
    const moved = await damage(`UPDATE ticks SET ts = ${at(100)} WHERE ts = ${at(25)}`)
    expect(moved.map(({ check }) => check)).toContain('bounds')
  })

  test('a slice whose ledger row is gone, and slices that overlap', async () => {
    const gone = await damage(`DELETE FROM _slices WHERE slice_id = '${sliceId(MIDDLE)}'`)
    expect(gone).toMatchObject([{ check: 'unknown_slice', slice: null, found: '10' }])
    const overlap = await damage(`UPDATE _slices SET to_at = ${at(21)} WHERE from_at = ${at(0)}`)
    expect(overlap).toMatchObject([
      { check: 'unknown_slice' },
      { check: 'seams', slice: ticksSlice(20, 30), what: 'two runs hold the same stretch' },
    ])
  })
})

test('damaged slices are uncovered, hidden, and whole again after the next load', async () => {
  const found = await damage(
    `DELETE FROM ticks WHERE ts = ${at(12)}; UPDATE ticks SET price = -1 WHERE ts = ${at(13)}`,
  )
  expect(await store.markDamaged(found, null)).toEqual({ marked: [sliceId(MIDDLE)], past: [] })
  const covered = await store.covered(LATE_MS)
  expect(covered.map(({ fromMs }) => fromMs).toSorted((a, b) => a - b)).toEqual(
    [ticksSlice(0, 10), ticksSlice(20, 30)].map(({ fromMs }) => fromMs),
  )
  expect((await harness.ticks()).filter((tick) => tick.endsWith('~'))).toHaveLength(9)
  // A known difference counts no more; the ledger says that the slice failed.
  expect(await verifyTables(verifyContextOf(store), TABLES)).toEqual([])

  await harness.loadTicks(10, 20, { fetchedAtMs: LATE_MS + 1 })
  expect(await harness.ticks()).toEqual(hours(0, 30).map((hour) => `${hour}=${hour + 0.1}`))
  expect(await harness.table('SELECT * FROM _revisions')).toEqual([])
  expect(await verifyTables(verifyContextOf(store), TABLES)).toEqual([])
})

describe('of a snapshot and a catalogue nothing outlives the repair that was changed by hand', () => {
  const [spots, names] = [daySlice('spots'), daySlice('names')]
  const coins = ['bitcoin', 'ethereum']
  const seen = [START_MS, START_MS]

  async function loadBoth(fetchedAtMs: number): Promise<void> {
    const observed = { coin_id: coins, observed_at: [fetchedAtMs, fetchedAtMs], price: [1, 2] }
    const listed = { coin_id: coins, first_seen_at: seen, last_seen_at: seen, label: ['b', 'e'] }
    for (const [slice, values] of [
      [spots, observed],
      [names, listed],
    ] as const) {
      const columns = { table: slice.dataset, values, rowCount: 2 }
      await harness.loadOne({ slice, fetchedAtMs, columns })
    }
  }

  test.each(['at the same moment', 'an hour later'])('answered again %s', async (when) => {
    await loadBoth(START_MS)
    const found = await damage(
      `UPDATE spots SET price = 9 WHERE coin_id = 'bitcoin';
       INSERT INTO spots FROM spots WHERE coin_id = 'ethereum';
       UPDATE names SET coin_id = 'changed' WHERE coin_id = 'bitcoin';
       INSERT INTO names FROM names WHERE coin_id = 'ethereum'`,
    )
    expect(await store.markDamaged(found, null)).toMatchObject({ marked: { length: 2 }, past: [] })

    const againMs = START_MS + (when === 'an hour later' ? 3_600_000 : 0)
    await loadBoth(againMs)
    expect(await harness.table('SELECT coin_id, price FROM spots ORDER BY ALL')).toEqual([
      ['bitcoin', 1],
      ['ethereum', 2],
    ])
    expect(await harness.table('SELECT coin_id, label FROM names ORDER BY ALL')).toEqual([
      ['bitcoin', 'b'],
      ['ethereum', 'e'],
    ])
    expect(await verifyTables(verifyContextOf(store), TABLES)).toEqual([])
  })

  test.each([
    { ...daySlice('spots', -1), values: { observed_at: seen, price: [1, 2] } },
    {
      ...daySlice('names', -1),
      values: { first_seen_at: seen, last_seen_at: seen, label: ['b', 'e'] },
    },
    // A history before the reach of the key's plan.
    { ...ticksSlice(-40, -38), values: ticksRows(hours(-40, -38)).values },
  ])('what the source cannot give again stays, and goes on being named: $dataset', async (one) => {
    const { values, ...slice } = one
    const columns = { table: slice.dataset, values: { coin_id: coins, ...values }, rowCount: 2 }
    await harness.loadOne({ slice, fetchedAtMs: START_MS, columns })
    const id = sliceId(slice)
    const states = await harness.states()
    const found = await damage(
      `DELETE FROM ${slice.dataset} WHERE coin_id = 'bitcoin' AND slice_id = '${id}'`,
    )
    expect(await store.markDamaged(found, 1)).toEqual({ marked: [], past: [id] })
    expect(await verifyTables(verifyContextOf(store), TABLES)).toEqual(found)
    expect(await harness.states()).toEqual(states)
    expect((await harness.ticks()).filter((tick) => tick.endsWith('~'))).toEqual([])
  })

  test.each([
    { from: -28, marked: 1 },
    { from: -29, marked: 0 },
  ])('a history of which the reach has more than half is asked for again: $marked', async (one) => {
    const columns = ticksRows(hours(one.from, -20))
    const slice = ticksSlice(one.from, -20)
    await harness.loadOne({ slice, fetchedAtMs: START_MS, columns })
    const found = await damage(`DELETE FROM ticks WHERE ts = ${at(0)} - INTERVAL 22 HOUR`)
    const { marked } = await store.markDamaged(found, 2)
    expect(marked).toHaveLength(one.marked)
    const hidden = (await harness.ticks()).filter((tick) => tick.endsWith('~'))
    expect(hidden).toHaveLength(one.marked * 7)
  })
})

test('a table that is not there is left out', async () => {
  const context = verifyContextOf(store)
  const source = { ...context.source, relation: () => null }
  expect(await verifyTables({ ...context, source }, TABLES)).toEqual([])
})

test('many loads, one after the other, are each noted under their own number', async () => {
  for (const hour of hours(30, 45)) await harness.loadTicks(hour, hour + 1)
  expect(await verifyTables(verifyContextOf(store), TABLES)).toEqual([])
  const loads = await harness.table('SELECT DISTINCT load_id FROM _contents ORDER BY ALL')
  expect(loads).toEqual(hours(1, 19).map((load) => [load]))
})
