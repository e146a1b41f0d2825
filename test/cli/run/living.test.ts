import { readFileSync, readlinkSync, renameSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { expect, test } from 'vitest'
import { VIEWS_SQL } from '../../../sinks/publish-parquet/views-sql.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'
import { openMarketWarehouse } from '../../parts/market-warehouse.ts'
import { openWarehouseFolder } from '../../parts/warehouse-folder.ts'

const chart = (coins: string): string =>
  `market_chart: { coins: [${coins}], granularity: daily, from: 2024-03-20 }`
const COUNT = 'select coin_id, count(*) as n from market_chart group by 1 order by 1'

test('a warehouse goes on in another folder; coins taken out of the file stay, and are asked for no more', async () => {
  const { clock, served, warehouse } = await openMarketWarehouse()
  const first = await warehouse.export(['coins: {}', chart('bitcoin, ethereum')])
  expect(first.report).toMatchObject({ verdict: 'complete' })
  const before = await warehouse.run('query', COUNT, '--format', 'csv')
  expect(before.stdout).toContain('ethereum')

  // A coin less: nothing is asked for, nothing is missing, and its rows are still published.
  const without = await warehouse.export(['coins: {}', chart('bitcoin')])
  expect(without.requests).toEqual([])
  expect(without.report).toMatchObject({ verdict: 'complete', calls: 0 })
  expect((await warehouse.run('gaps')).exitCode).toBe(0)
  expect((await warehouse.run('query', COUNT, '--format', 'csv')).stdout).toBe(before.stdout)
  const status = await warehouse.run('status', '--json')
  expect(JSON.parse(status.stdout)).toMatchObject({ verdict: 'complete' })

  expect(status.stderr).not.toContain('the server knows')

  const { configure, paths, run } = openWarehouseFolder({ clock })
  renameSync(warehouse.paths.root, paths.root)
  const { stdout, stderr } = await warehouse.run('status')
  expect(stdout).toContain('complete')
  expect(stderr).toContain(
    `${warehouse.paths.root} has no report of a run: this is the last one by hand that the server knows`,
  )
  configure({
    source: [`base_url: "${served.url}"`],
    datasets: ['coins: {}', chart('bitcoin, ethereum')],
  })
  expect((await run('query', COUNT, '--format', 'csv')).stdout).toBe(before.stdout)
  const asked = served.log.length
  const again = await run('backfill', '--json')
  expect(again.exitCode, again.stderr).toBe(0)
  expect(JSON.parse(again.stdout)).toMatchObject({ verdict: 'complete', calls: 0 })
  expect(served.log).toHaveLength(asked)
  expect(await run('verify')).toMatchObject({ exitCode: 0 })

  // No path of the old place is in what readers open.
  expect(isAbsolute(readlinkSync(paths.duckdbLink))).toBe(false)
  const reader = await memoryDuckdb()
  await reader.run(`SET file_search_path = '${paths.parquetLink}'`)
  await reader.run(readFileSync(join(paths.parquetLink, VIEWS_SQL), 'utf8'))
  const counted = await reader.runAndReadAll('SELECT count(DISTINCT coin_id) FROM market_chart')
  expect(counted.getRowsJS()).toEqual([[2n]])
})
