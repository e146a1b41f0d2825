import { renameSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openMarketWarehouse } from '../../parts/market-warehouse.ts'
import { MARKET_PRESETS } from '../../../service/market/market-spec.ts'

const NOW_MS = Date.UTC(2024, 3, 10, 5, 30)
const LINES = ['market_chart: { coins: [bitcoin], granularity: daily, from: 2024-03-01 }']

test('after a restore verify says no more of Parquet files than it has compared', async () => {
  const spec = { ...MARKET_PRESETS.tiny, dailyDays: 60, seed: 5, nowMs: NOW_MS, moving: false }
  const { clock, warehouse } = await openMarketWarehouse(spec)
  await warehouse.export(LINES)
  // A load more than the restored ledger will have.
  clock.set(NOW_MS + 86_400_000)
  await warehouse.export(LINES)
  const { storeFile, duckdbLink } = warehouse.paths
  rmSync(storeFile)
  // From the answers alone.
  renameSync(duckdbLink, `${duckdbLink}.away`)
  expect(await warehouse.run('restore')).toMatchObject({ exitCode: 0 })
  renameSync(`${duckdbLink}.away`, duckdbLink)
  const { exitCode, stdout } = await warehouse.run('verify')
  expect(exitCode).toBe(0)
  expect(stdout).toContain('not compared by slice: market_chart\n')
  expect(stdout).toContain(
    'no difference: the store, the published file hold exactly what was loaded; the Parquet files, as far as was compared\n',
  )
})
