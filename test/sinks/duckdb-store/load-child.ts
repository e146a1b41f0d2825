import { frozenClock } from '../../../config/clock.ts'
import { CoinlakeError } from '../../../config/coinlake-error.ts'
import type { LakeSettings } from '../../../sinks/duckdb-store/lake/lake-settings.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import { hours, memoryStage, ticksRows } from './memory-stage.ts'
import { DATASETS, HOUR_MS, START_MS, ticksSlice } from './test-dataset.ts'

/**
 * A process that loads one run into a store and may be killed while it does: `file` (or the settings of a
 * lake as JSON), the number of slices and the rows of each as arguments. Prints what it did as one JSON line.
 */
const [file = '', slices = '1', rows = '1'] = process.argv.slice(2)
const rowCount = Number(rows)
const nowMs = START_MS + (rowCount + 10) * HOUR_MS
const store = await openStore({
  file: file.startsWith('{') ? (JSON.parse(file) as LakeSettings) : file,
  datasets: DATASETS,
  coinlakeVersion: '1.2.3',
  clock: frozenClock(nowMs),
})
const ids = Array.from({ length: Number(slices) }, (_, index) => `coin-${index}`)
const stage = memoryStage()
for (const coinId of ids) {
  stage.put({
    slice: ticksSlice(0, rowCount, coinId),
    fetchedAtMs: nowMs,
    columns: ticksRows(hours(0, rowCount), (hour) => Math.sin(hour) * 1e6, {
      coin_id: { constant: coinId },
    }),
  })
}
try {
  const run = { runId: 'run', orderId: 'order', startedAtMs: START_MS, coinlakeVersion: '1.2.3' }
  const planned = await store.writePlan(
    run,
    ids.map((coinId) => ticksSlice(0, rowCount, coinId)),
  )
  const ordinals = Array.from({ length: planned }, (_, ordinal) => ordinal)
  process.stdout.write(
    `${JSON.stringify(await store.load({ runId: 'run', ordinals, nowMs }, stage))}\n`,
  )
} catch (error) {
  if (!(error instanceof CoinlakeError)) throw error
  const { code, message, hint, exitCode } = error
  process.stdout.write(`${JSON.stringify({ code, message, hint, exitCode })}\n`)
}
await store.close()
