import { expect, test } from 'vitest'
import { hours, memoryStage, ticksRows } from './memory-stage.ts'
import { openTestStore } from './open-test-store.ts'
import { tempFolder } from './temp-folder.ts'
import { HOUR_MS, START_MS, ticksSlice } from './test-dataset.ts'

const temp = tempFolder()
/** A million by default; COINLAKE_TEST_BIG=1 makes it five. */
const ROWS = process.env['COINLAKE_TEST_BIG'] === undefined ? 1_000_000 : 5_000_000
const SLICES = 50
const ROWS_PER_SLICE = ROWS / SLICES
/** Whole slices of a transaction: two row groups at most, as in load-batch.ts. */
const SLICES_PER_TRANSACTION = Math.floor((2 * 122_880) / ROWS_PER_SLICE)

test(`${ROWS} rows come in whole, by hash, sorted, a quarter of a million a transaction`, async () => {
  const store = await openTestStore(temp.path('many'))
  const stage = memoryStage()
  const slices = Array.from({ length: SLICES }, (_, i) =>
    ticksSlice(0, ROWS_PER_SLICE, `coin-${i}`),
  )
  const run = { runId: 'r', orderId: 'o', startedAtMs: START_MS, coinlakeVersion: '1' }
  await store.writePlan(run, slices)
  const nowMs = START_MS + (ROWS_PER_SLICE + 99) * HOUR_MS
  for (const [index, slice] of slices.entries()) {
    const columns = ticksRows(hours(0, ROWS_PER_SLICE), (hour) => (hour + index) / 3, {
      coin_id: { constant: slice.entity },
    })
    stage.put({ slice, fetchedAtMs: nowMs, columns })
  }
  const ordinals = slices.map((_, ordinal) => ordinal)
  const report = await store.load({ runId: 'r', ordinals, nowMs }, stage)
  expect(report).toMatchObject({ slices: SLICES, rowsInserted: ROWS, rowsDuplicate: 0 })
  expect(report.loadId).toBe(Math.ceil(SLICES / SLICES_PER_TRANSACTION))
  const [actual] = await store.query(
    `SELECT count(*) AS rows, bit_xor(hash(coin_id, (epoch_ms(ts) - ${START_MS}) // ${HOUR_MS}, price))::VARCHAR AS hash
     FROM ticks`,
  )
  const [expected] = await store.query(
    `SELECT count(*) AS rows, bit_xor(hash('coin-' || c, h, (h + c) / 3))::VARCHAR AS hash
     FROM range(${SLICES}) coins(c), range(${ROWS_PER_SLICE}) hours(h)`,
  )
  expect(actual).toEqual(expected)
  const [disorder] = await store.query(
    `SELECT count(*) FILTER ((coin_id, ts) <= before) AS rows FROM (
       SELECT coin_id, ts, lag((coin_id, ts)) OVER (PARTITION BY load_id ORDER BY rowid) AS before
       FROM ticks)`,
  )
  expect(disorder).toEqual({ rows: 0 })
  expect(await store.load({ runId: 'r', ordinals, nowMs }, stage)).toMatchObject({ slices: 0 })
  await store.close()
})
