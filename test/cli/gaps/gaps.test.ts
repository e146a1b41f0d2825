import { DAY_MS } from '../../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { APRIL_MS, openMarketWarehouse } from '../../parts/market-warehouse.ts'
import { holdFile } from '../../parts/hold-file.ts'

test('coinlake gaps: none, wider wanted, while another process holds the store', async () => {
  const { clock, warehouse } = await openMarketWarehouse({ dailyDays: 60 })
  const lines = (from: string) => [
    'coins: {}',
    `market_chart: { coins: [bitcoin, ethereum], granularity: daily, from: ${from} }`,
  ]
  await warehouse.plan(lines('2024-03-20'))
  const before = await warehouse.run('gaps')
  expect(before.exitCode).toBe(3)
  expect(before.stdout).toContain('not in the tables yet')

  await warehouse.export(lines('2024-03-20'))
  const none = await warehouse.run('gaps')
  expect(none.stdout).toContain('no gaps')
  expect(none.exitCode).toBe(0)

  await warehouse.plan(lines('2024-03-15'))
  const wider = await warehouse.run('gaps', '--json', '--dataset', 'market_chart')
  expect(wider.exitCode).toBe(3)
  const told = JSON.parse(wider.stdout) as {
    summary: { missing: number; days: { missing: number } }[]
    intervals: { state: string; entity: string; from: string; to: string }[]
  }
  expect(told.summary).toMatchObject([{ missing: 2, days: { missing: 10 } }])
  expect(told.intervals.filter(({ state }) => state === 'missing')).toMatchObject(
    ['bitcoin', 'ethereum'].map((entity) => ({
      entity,
      from: '2024-03-15T00:00:00.000Z',
      to: '2024-03-20T00:00:00.000Z',
    })),
  )
  const few = await warehouse.run('gaps', '--limit', '1')
  expect(few.stdout).toContain('... and 1 more interval: --limit 2 shows all')
  expect((await warehouse.run('gaps', '--limit', 'few')).exitCode).toBe(2)

  const holder = await holdFile(warehouse.paths.storeFile)
  const meanwhile = await warehouse.run('gaps')
  expect(meanwhile.stderr).toMatch(
    new RegExp(`looking at the publication of 20.* held by process ${holder.pid} `),
  )
  expect(meanwhile.stdout).toBe((await warehouse.run('gaps')).stdout)
  expect(meanwhile.exitCode).toBe(3)
  const planned = await warehouse.run('plan', '--json')
  expect(planned.stderr).toBe(meanwhile.stderr)
  expect(JSON.parse(planned.stdout)).toMatchObject({ calls: { max: 2 }, source: 'publication' })
  await holder.release()
  expect((await warehouse.run('gaps')).stderr).toBe('')

  // The next day has a bucket of its own, and points that nobody asked for yet.
  clock.set(APRIL_MS + DAY_MS)
  expect((await warehouse.run('gaps')).exitCode).toBe(3)
})
