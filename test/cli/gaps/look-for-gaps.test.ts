import { DAY_MS } from '../../../config/values/duration.ts'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import { warehousePaths } from '../../../config/warehouse-paths.ts'
import type { Slice } from '../../../datasets/dataset.ts'
import { PRICE_QUOTES, priceQuotes } from '../../../datasets/price-quotes.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import { memoryStage, type TestPage } from '../../sinks/duckdb-store/memory-stage.ts'
import { tempFolder } from '../../sinks/duckdb-store/temp-folder.ts'
import { type Captured, runCaptured } from '../../parts/run-captured.ts'

const DAY_ONE_MS = Date.UTC(2024, 3, 1)
const folder = tempFolder()

/** The words of `coinlake gaps` at noon of a day, from 0, of one line of YAML. */
async function gapsAt(day: number, datasetLine: string): Promise<Captured> {
  const lines = [
    'source: { base_url: "http://127.0.0.1:1/v2" }',
    'warehouse: ./warehouse',
    'datasets:',
    `  ${datasetLine}`,
  ]
  writeFileSync(folder.path('coinlake.yaml'), lines.join('\n'))
  const clock = frozenClock(DAY_ONE_MS + (day + 0.5) * DAY_MS)
  const found = await runCaptured(['gaps'], { cwd: folder.path(''), clock })
  expect(found.stderr).toBe('')
  return found
}

function sliceOf(coin: string, day: number): Slice {
  const fromMs = DAY_ONE_MS + day * DAY_MS
  const series = { dataset: 'price_quotes', entity: coin, vsCurrency: 'usd' }
  return { ...series, granularity: '', fromMs, toMs: fromMs + DAY_MS }
}

/** An answer that has the coin it was asked for, or lacks it. */
function pageOf(slice: Slice, isListed: boolean): TestPage {
  const { entity, vsCurrency, fromMs } = slice
  const page = { slice, fetchedAtMs: fromMs }
  if (!isListed) {
    const raw = JSON.stringify(entity)
    return { ...page, rejected: [{ rule: 'not_in_answer', path: `$.${entity}`, raw }] }
  }
  const nothing = PRICE_QUOTES.columns.map(({ name }) => [name, { constant: null }])
  const values = {
    ...Object.fromEntries(nothing),
    coin_id: { constant: entity },
    vs_currency: { constant: vsCurrency },
    observed_at: { constant: fromMs },
    observed_date: { constant: fromMs },
  }
  return { ...page, columns: { table: PRICE_QUOTES.name, values, rowCount: 1 } }
}

const openIt = () =>
  openStore({
    file: warehousePaths(folder.path('warehouse')).storeFile,
    datasets: [priceQuotes],
    coinlakeVersion: '0.1.0',
    clock: frozenClock(DAY_ONE_MS),
  })

/** A run a day that asks for each coin by itself; `isListedOn` tells of which days' answers it is a part. */
async function runDaily(isListedOn: Readonly<Record<string, readonly boolean[]>>): Promise<void> {
  const store = await openIt()
  const coins = Object.keys(isListedOn)
  const days = isListedOn[coins[0] ?? '']?.length ?? 0
  for (let day = 0; day < days; day++) {
    const nowMs = DAY_ONE_MS + day * DAY_MS
    const runId = `run-${day}`
    const run = { runId, orderId: 'order', startedAtMs: nowMs, coinlakeVersion: '0.1.0' }
    const slices = coins.map((coin) => sliceOf(coin, day))
    await store.writePlan(run, slices)
    const stage = memoryStage([PRICE_QUOTES])
    for (const slice of slices) {
      stage.put(pageOf(slice, isListedOn[slice.entity]?.[day] === true))
    }
    const report = await store.load({ runId, ordinals: [...coins.keys()], nowMs }, stage)
    expect(report.slices).toBe(coins.length)
    await store.finishRun(runId, 'partial', nowMs)
  }
  await store.close()
}

test('coins that nobody has chosen yet are a gap', async () => {
  const found = await gapsAt(0, 'coin_markets: { coins: top:100 }')
  expect(found.stdout).toContain('the coins of top:100 are not chosen yet')
  expect(found.stdout).toContain('there are gaps')
  expect(found.exitCode).toBe(3)
})

test('a coin that the source does not know is no gap, mistyped or gone', async () => {
  const others = { bitcoin: [true, true, true] }
  await runDaily({ ...others, luna: [true, false, false], bitcoinx: [false, false, false] })
  for (const coin of ['luna', 'bitcoinx']) {
    const found = await gapsAt(3, `price_quotes: { coins: [${coin}] }`)
    expect(found.stdout).toContain(
      'cannot be reached: price_quotes 1d: 1 day of 1 series [2024-04-04, 2024-04-05): unknown at the source',
    )
    expect(found.stdout).toContain(`${coin} `)
    expect(found.stdout).toContain('no gaps, unreachable: 1 day: ')
    expect(found.exitCode).toBe(0)
  }
})

test('an answer without any coin makes none unknown: the service may know nothing for a while', async () => {
  await runDaily({ luna: [true, false, false], terra: [true, false, false] })
  const found = await gapsAt(3, 'price_quotes: { coins: [luna] }')
  expect(found.stdout).not.toContain('unknown at the source')
  expect(found.exitCode).toBe(3)
})
