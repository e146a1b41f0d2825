import { expect, test } from 'vitest'
import { openMarketLake } from '../parts/market-lake.ts'

/** Far longer than quitting may take. */
const LATENCY_MS = 20_000
/** Between the second Ctrl-C and the end of the process. */
const AT_ONCE_MS = 2_000

test('Ctrl-C twice quits at once, whatever is under way', async () => {
  const market = { coins: 5, latencyMs: LATENCY_MS }
  const { lake } = await openMarketLake(market, ['coin_markets: { every: 1d }'])
  const run = lake.start(['backfill'])
  await lake.loaded(0)
  run.kill('SIGINT')
  await run.says('stopping after the current write')
  expect(run.isRunning()).toBe(true)
  const secondAtMs = performance.now()
  run.kill('SIGINT')
  expect(await run.ended).toMatchObject({ code: 130, signal: null })
  expect(performance.now() - secondAtMs).toBeLessThan(AT_ONCE_MS)
})
