import { expect, onTestFinished, test } from 'vitest'
import { reportOf } from './disturbances.ts'
import { openLake } from './lake.ts'
import { serveMarket } from './market-service.ts'

test(
  'two equal backfills begun at once are one run, and both tell of it',
  { timeout: 120_000 },
  async () => {
    const service = await serveMarket({ coins: 5, latencyMs: 200 })
    const lake = openLake(service.url, ['coin_markets: { every: 1d }'])
    onTestFinished(async () => {
      await lake.remove()
      await service.close()
    })
    const backfill = ['backfill', '--json']
    const [one, two] = await Promise.all(
      [lake.start(backfill), lake.start(backfill)].map(({ ended }) => ended),
    )
    expect(reportOf(one!)).toMatchObject({ verdict: 'complete', rows: 5 })
    expect(reportOf(two!)).toEqual(reportOf(one!))
    expect(await lake.traces()).toEqual([])
  },
)
