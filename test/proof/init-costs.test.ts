import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { frozenClock } from '../../config/clock.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import { runCaptured } from '../parts/run-captured.ts'
import type { Exported } from '../parts/proof-warehouse.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { openMarketWarehouse } from '../parts/market-warehouse.ts'

const NOW_MS = Date.UTC(2024, 3, 10, 5, 30)
const SPEC = {
  ...MARKET_PRESETS.tiny,
  coins: 30,
  dailyDays: 60,
  hourlyDays: 30,
  vsCurrencies: ['usd', 'eur'],
  seed: 8,
  nowMs: NOW_MS,
}
const DAYS = 2
const DAYS_OF_MONTH = 31

test('what init says of a file holds: the first run lies in its bounds, later runs cost what is told', async () => {
  const { clock, warehouse } = await openMarketWarehouse(SPEC)
  const flags = '--study everything --coins top:3 --from 2024-03-25 --vs usd,eur'
  const { stdout: file, exitCode } = await runCaptured(['init', '-o', '-', ...flags.split(' ')], {
    cwd: tempDir(),
    clock: frozenClock(NOW_MS),
  })
  expect(exitCode).toBe(0)
  const order = file
    .slice(file.indexOf('\ndatasets:\n') + '\ndatasets:\n'.length)
    .split('\n')
    .map((line) => line.slice(2))

  const told = await warehouse.plan(order)
  const first = await warehouse.export(order)
  expect(first.report.failures).toEqual([])
  expect(first.report.verdict).toBe('complete')
  expect(first.requests.length).toBeGreaterThanOrEqual(told.price.calls.min)
  expect(first.requests.length).toBeLessThanOrEqual(told.price.calls.max)
  for (const { dataset, calls } of told.price.perDataset) {
    const made = callsOf(first)[dataset]
    expect(made, dataset).toBeGreaterThanOrEqual(calls.min)
    expect(made, dataset).toBeLessThanOrEqual(calls.max)
  }

  // Lists have been read and coins chosen: a month is known to the call, and each day is a part of it.
  const known = await warehouse.plan(order)
  const month = known.repeated.find(({ runEveryMs }) => runEveryMs === DAY_MS)!
  const bounds = told.repeated.find(({ runEveryMs }) => runEveryMs === DAY_MS)!
  expect(month.calls.min).toBeGreaterThanOrEqual(bounds.calls.min)
  expect(month.calls.max).toBeLessThanOrEqual(bounds.calls.max)
  const daily = Object.fromEntries(
    month.perDataset.map(({ dataset, calls }) => {
      expect(calls.min, dataset).toBe(calls.max)
      return [dataset, calls.max / DAYS_OF_MONTH]
    }),
  )
  for (let day = 1; day <= DAYS; day++) {
    clock.set(NOW_MS + day * DAY_MS)
    const later = await warehouse.export(order)
    expect(later.report.verdict).toBe('complete')
    expect(callsOf(later)).toEqual(daily)
  }
})

/** Calls by dataset, as the run reports them. */
function callsOf({ report }: Exported): Record<string, number> {
  return Object.fromEntries(report.datasets.map(({ dataset, calls }) => [dataset, calls]))
}
