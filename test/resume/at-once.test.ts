import { expect, test } from 'vitest'
import { reportOf } from './report-of.ts'
import { openMarketLake } from '../parts/market-lake.ts'

test('two equal backfills begun at once are one run, and both tell of it', async () => {
  const { lake } = await openMarketLake({ coins: 5, latencyMs: 200 }, [
    'coin_markets: { every: 1d }',
  ])
  const backfill = ['backfill', '--json']
  const [one, two] = await Promise.all(
    [lake.start(backfill), lake.start(backfill)].map(({ ended }) => ended),
  )
  expect(reportOf(one!)).toMatchObject({ verdict: 'complete', rows: 5 })
  expect(reportOf(two!)).toEqual(reportOf(one!))
  expect(await lake.traces()).toEqual([])
})
