import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MARKET_PRESETS } from '../../../service/market/market-spec.ts'
import { openMarketWarehouse } from '../../parts/market-warehouse.ts'

test('the report of a warehouse that was deleted is told as one that only the server knows', async () => {
  const { warehouse } = await openMarketWarehouse({
    ...MARKET_PRESETS.tiny,
    seed: 5,
    nowMs: Date.UTC(2024, 3, 10, 5),
    moving: false,
  })
  await warehouse.export(['coins: {}'])
  expect((await warehouse.run('status')).stderr).not.toContain('the server knows')
  rmSync(warehouse.paths.root, { recursive: true })
  const { stdout, stderr } = await warehouse.run('status')
  expect(stdout).toContain('complete')
  expect(stderr).toContain(
    `${warehouse.paths.root} has no report of a run: this is the last one by hand that the server knows`,
  )
})
