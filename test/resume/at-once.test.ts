import { expect, test } from 'vitest'
import { reportOf } from './report-of.ts'
import { openMarketLake } from '../parts/market-lake.ts'

const MARKET = { coins: 5, latencyMs: 200 }

test('two equal backfills begun at once are one run, and both tell of it', async () => {
  const { lake } = await openMarketLake(MARKET, ['coin_markets: { every: 1d }'])
  const backfill = ['backfill', '--json']
  const [one, two] = await Promise.all(
    [lake.start(backfill), lake.start(backfill)].map(({ ended }) => ended),
  )
  expect(reportOf(one!)).toMatchObject({ verdict: 'complete', rows: 5 })
  expect(reportOf(two!)).toEqual(reportOf(one!))
  expect(await lake.traces()).toEqual([])
})

test('two different backfills begun at once: one runs, the other is told of it', async () => {
  const lines = ['coin_markets: { every: 1d }', 'exchange_rates: { every: 1d }']
  const { lake } = await openMarketLake(MARKET, lines)
  const orders = [[], ['--dataset', 'coin_markets']]
  const both = orders.map((words) => lake.start(['backfill', '--json', ...words]))
  const ended = await Promise.all(both.map((process) => process.ended))
  const [ran, told] = ended.toSorted((a, b) => Number(a.code) - Number(b.code))
  expect(reportOf(ran!)).toMatchObject({ verdict: 'complete' })
  expect(told).toMatchObject({ code: 6 })
  expect(told!.stderr).toContain('RUN_IN_PROGRESS')
  expect(await lake.traces()).toEqual([])
})
