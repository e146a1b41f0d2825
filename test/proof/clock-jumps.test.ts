import { DAY_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import { APRIL_MARKET, APRIL_MS } from '../parts/market-warehouse.ts'
import { movableClock, openWarehouse } from '../parts/proof-warehouse.ts'
import { serveInTest } from '../parts/serve-source.ts'
import { holdMarket } from '../parts/held-market.ts'

const CHART = 'market_chart: { coins: [bitcoin], granularity: hourly, from: 2024-03-20 }'

test('a clock that goes back and forth: no point is lost or asked for again, and no moment is made up', async () => {
  // That of the source is right all the time.
  const sourceClock = movableClock(APRIL_MS)
  const market = await holdMarket(
    { ...APRIL_MARKET, observations: 6, hourlyDays: 40, nowMs: APRIL_MS + 5 * DAY_MS },
    sourceClock,
  )
  const served = await serveInTest(market.source)
  const clock = movableClock(APRIL_MS)
  const warehouse = openWarehouse(served, clock)
  const exportAt = async (aheadMs: number): Promise<unknown[]> => {
    clock.set(sourceClock.nowMs() + aheadMs)
    const { report } = await warehouse.export([CHART, 'exchange_rates: { every: 1d }'])
    const { slices, failures } = report
    return [slices.planned, slices.failed, ...failures.map(({ code }) => code)]
  }
  expect(await exportAt(0)).toEqual([2, 0])
  // Yesterday's rates cannot be had any more.
  expect(await exportAt(-DAY_MS)).toEqual([1, 1, 'BUCKET_MISSED'])
  expect(await exportAt(-2 * GRANULARITY_MS['1h'])).toEqual([0, 0])
  // The rates of a day to come: what is taken for them carries the moment that it is of.
  expect(await exportAt(5 * DAY_MS)).toEqual([2, 0])
  expect(await exportAt(0)).toEqual([0, 0])

  sourceClock.set(APRIL_MS + 5 * DAY_MS)
  // The chart alone: a source may stand at another time for good, so that day counts as taken.
  expect(await exportAt(0)).toEqual([1, 0])
  const days = "select distinct strftime(observed_at, '%d') from exchange_rates order by 1"
  const rates = await warehouse.run('query', days, '--format', 'csv')
  expect(rates.stdout.trim().split('\n').slice(1)).toEqual(['10'])
  // An hour a point: those that a clock ahead had asked for too early are there now.
  const hours = "select count(*) from market_chart where ts >= '2024-04-10' and ts < '2024-04-15'"
  const points = await warehouse.run('query', hours, '--format', 'csv')
  expect(points.stdout.trim().split('\n').at(-1)).toBe(String(5 * 24))
  expect((await warehouse.run('verify')).stdout).toContain('no difference')
  expect((await warehouse.run('gaps')).stdout).toContain('no gaps')
})
