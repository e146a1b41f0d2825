import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { Store } from '../../../sinks/duckdb-store/open-store.ts'
import { verifyTables } from '../../../sinks/verify/verify-tables.ts'
import { hours, ticksRows } from './memory-stage.ts'
import { openTestStore } from './open-test-store.ts'
import { verifyContextOf } from './verify-context-of.ts'
import { storeHarness } from './store-harness.ts'
import { tempFolder } from './temp-folder.ts'
import { HOUR_MS, START_MS, TABLES, ticksSlice } from './test-dataset.ts'

const folder = tempFolder()
const open: Store[] = []

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})

async function harnessAt(name: string) {
  const store = await openTestStore(folder.path(name))
  open.push(store)
  return storeHarness(store)
}

/** When all slices here are answered. */
const NOW_MS = START_MS + 29 * HOUR_MS

test('what meets rows is merged beside what meets none', async () => {
  const { stage, plan, loadAll, loadOne, table, store } = await harnessAt('mixed')
  const before = ticksSlice(0, 6)
  await loadOne({ slice: before, fetchedAtMs: NOW_MS, columns: ticksRows(hours(0, 6)) })
  const slices = [ticksSlice(4, 8), ticksSlice(8, 12), ticksSlice(10, 14), ticksSlice(14, 18)]
  const runId = await plan(...slices)
  const from = START_MS / HOUR_MS
  for (const slice of slices) {
    const columns = ticksRows(hours(slice.fromMs / HOUR_MS - from, slice.toMs / HOUR_MS - from))
    stage.put({ slice, fetchedAtMs: NOW_MS + 1, columns })
  }
  expect(await loadAll(runId)).toMatchObject({ slices: 4, rowsInserted: 12, rowsDuplicate: 4 })
  expect(await table('SELECT count(*), count(DISTINCT ts) FROM ticks')).toEqual([[18, 18]])
  const found = await verifyTables(verifyContextOf(store), TABLES)
  expect(found.map(({ check }) => check)).toEqual(found.map(() => 'seams'))
})

test.each([
  ['repeats a time', [1, 2, 2, 3], 3],
  ['leaves its slice at the front', [-1, 1, 2], 3],
  ['leaves its slice at the end', [1, 2, 4], 3],
])('a page that %s is merged', async (_what, rows, kept) => {
  const { loadOne, table } = await harnessAt('odd')
  const slice = ticksSlice(0, 4)
  const columns = ticksRows(rows)
  expect(await loadOne({ slice, fetchedAtMs: NOW_MS, columns })).toMatchObject({
    rowsInserted: kept,
    rowsDuplicate: rows.length - kept,
  })
  expect(await table('SELECT count(*), count(DISTINCT ts) FROM ticks')).toEqual([[kept, kept]])
})

/** A slice of a coin, when it was answered, and which of its hours the answer has. */
interface Answer {
  coin: string
  from: number
  hours: number
  fetchedHour: number
  left: number
}

const LAST_HOUR = 24
const answer = fc.record({
  coin: fc.constantFrom('bitcoin', 'zcash'),
  from: fc.integer({ min: 0, max: LAST_HOUR - 1 }),
  hours: fc.integer({ min: 1, max: LAST_HOUR }),
  fetchedHour: fc.integer({ min: 4, max: LAST_HOUR + 4 }),
  left: fc.integer({ min: 0, max: 3 }),
})

/** The tables after loads of overlapping answers, their rows in the order of time or against it. */
async function afterLoads(name: string, loads: readonly Answer[][], inOrder: boolean) {
  const { stage, plan, loadAll, table, store } = await harnessAt(name)
  const reports: unknown[] = []
  for (const [load, answers] of loads.entries()) {
    const slices = answers.map(({ coin, from, hours: count }) =>
      ticksSlice(from, from + count, coin),
    )
    const runId = await plan(...slices)
    const planned = await store.nextSlices({ runId, after: -1, limit: 10 })
    for (const [index, { coin, from, hours: count, fetchedHour, left }] of answers.entries()) {
      const rows = hours(from, from + count).filter((hour) => hour % 4 !== left)
      const drawn = inOrder ? rows : rows.toReversed()
      // Bits of truth and of nulls, which do not begin at a byte where a page is cut.
      const columns = ticksRows(drawn, (hour) => (hour % 5 === 0 ? null : hour + (load % 2)), {
        coin_id: { constant: coin },
        is_stale: drawn.map((hour) => (hour % 7 === 0 ? null : hour % 3 === 0)),
        note: drawn.map((hour) => (hour % 3 === 1 ? null : `a note of hour ${hour + load}`)),
      })
      const { generation } = planned[index]!
      const fetchedAtMs = START_MS + fetchedHour * HOUR_MS
      stage.put({ slice: slices[index]!, generation, fetchedAtMs, columns })
    }
    reports.push(await loadAll(runId))
  }
  const found = await verifyTables(verifyContextOf(store), TABLES)
  expect(found.filter(({ check }) => check !== 'seams')).toEqual([])
  return {
    reports,
    rows: await table(
      'SELECT * REPLACE (ts::VARCHAR AS ts, fetched_at::VARCHAR AS fetched_at, ts_date::VARCHAR AS ts_date) FROM ticks ORDER BY ALL',
    ),
    contents: await table('FROM _contents ORDER BY ALL'),
    months: await table('FROM _partitions ORDER BY ALL'),
    revisions: await table(
      'SELECT * REPLACE (first_seen_at::VARCHAR AS first_seen_at, replaced_at::VARCHAR AS replaced_at) FROM _revisions ORDER BY ALL',
    ),
    slices: await table(
      'SELECT run_id, ordinal, state, row_count, duplicate FROM _slices ORDER BY ALL',
    ),
  }
}

test('loads of answers that overlap leave the same by either way', async () => {
  let runs = 0
  let revised = 0
  // A run plans a slice once, so no load has the same one twice.
  const load = fc.uniqueArray(answer, {
    selector: ({ coin, from, hours: count }) => `${coin} ${from} ${count}`,
    minLength: 1,
    maxLength: 3,
  })
  const loads = fc.array(load, { minLength: 2, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(loads, async (drawn) => {
      runs += 1
      const appended = await afterLoads(`appended-${runs}`, drawn, true)
      expect(appended).toEqual(await afterLoads(`merged-${runs}`, drawn, false))
      revised += appended.revisions.length
      for (const store of open.splice(0)) await store.close()
    }),
    { numRuns: 15 },
  )
  expect(revised).toBeGreaterThan(0)
}, 240_000)
