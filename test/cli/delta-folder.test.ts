import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openMarketWarehouse } from '../parts/market-warehouse.ts'
import { mountSmallDisk, whyNoSmallDisk } from '../resume/small-disk.ts'
import { deltaFiles } from '../sinks/publish/read-delta.ts'

const COUNT = 'SELECT count(*) AS n FROM market_chart'

test('`format: delta`: the tables of a folder, read by every command as those of a tree', async () => {
  const { served, warehouse: place } = await openMarketWarehouse({ dailyDays: 60, moving: false })
  const configure = (to: string, warehouse = './warehouse', format = 'delta'): void =>
    place.configure({
      warehouse,
      source: [`base_url: "${served.url}"`, 'api_key: "${COINLAKE_API_KEY}"'],
      more: ['sinks: [parquet]', `parquet: { format: ${format} }`],
      datasets: [
        `market_chart: { coins: [bitcoin], granularity: daily, from: 2024-02-20, to: ${to} }`,
      ],
    })
  const backfillTo = async (to: string, warehouse?: string): Promise<void> => {
    configure(to, warehouse)
    expect(await place.run('backfill')).toMatchObject({ exitCode: 0 })
  }
  const tables = join(place.paths.root, 'delta')
  // Files come from the state folder, which may lie on another disk.
  const why = whyNoSmallDisk(join(place.dir, 'try'))
  if (why === null) {
    const disk = mountSmallDisk(tables, 64 * 1_048_576)
    onTestFinished(() => disk.remove())
  } else console.log(`on one disk: ${why}`)

  await backfillTo('2024-03-01')
  await backfillTo('2024-03-21')
  expect(existsSync(place.paths.parquetLink)).toBe(false)
  expect(readdirSync(join(tables, 'market_chart', '_delta_log'))).toContain(
    '00000000000000000001.json',
  )
  // Asked by the log alone, as any reader of Delta Lake does.
  const files = [...(await deltaFiles(tables, 'market_chart')).values()]
  const rows = files.map(({ stats }) => (JSON.parse(stats) as { numRecords: number }).numRecords)
  expect(rows.toSorted((a, b) => a - b)).toEqual([10, 20])
  expect((await place.run('query', '--json', COUNT)).stdout).toContain('"n":30')
  // The file of the first version stays for its readers, and verify takes it for none of another maker.
  expect(await place.run('verify', '--json')).toMatchObject({ exitCode: 0 })
  expect((await place.run('doctor')).stdout).toContain(`${tables}: `)
  const { disk } = JSON.parse((await place.run('status', '--json')).stdout) as {
    disk: { parquetBytes: number }
  }
  expect(disk.parquetBytes).toBeGreaterThan(0)
  // A publication of the other format was never made, so it is not gone.
  configure('2024-03-21', './warehouse', 'tree')
  expect((await place.run('status')).stdout).not.toContain('it was removed')
  configure('2024-03-21')

  // Readers go by the log: one that has lost an entry, or its end, shows them less or nothing.
  const log = join(tables, 'market_chart', '_delta_log', '00000000000000000000.json')
  const whole = readFileSync(log, 'utf8')
  for (const [bent, ...mend] of [
    [whole.replace(/^\{"add".*\n/m, ''), 'verify', '--repair'],
    [whole.slice(0, -40), 'backfill'],
  ] as const) {
    writeFileSync(log, bent)
    const told = await place.run('verify')
    expect(told.exitCode).toBe(1)
    expect(told.stdout).toContain(join('market_chart', '_delta_log'))
    const doctor = await place.run('doctor')
    expect(doctor.exitCode).not.toBe(0)
    expect(doctor.stdout).toMatch(/_delta_log does not lead to[\s\S]*coinlake verify --repair/)
    expect(await place.run(...mend)).toMatchObject({ exitCode: 0 })
    expect(await deltaFiles(tables, 'market_chart')).toHaveProperty('size', 2)
    expect(await place.run('verify')).toMatchObject({ exitCode: 0 })
  }

  // A warehouse that is moved goes on with its own tables.
  const standing = await deltaFiles(tables, 'market_chart')
  const february = [...standing.keys()].find((name) => name.includes('2024-02'))
  const moved = `${place.paths.root}-moved`
  renameSync(place.paths.root, moved)
  try {
    await backfillTo('2024-03-22', './warehouse-moved')
    expect([...(await deltaFiles(join(moved, 'delta'), 'market_chart')).keys()]).toContain(february)
  } finally {
    renameSync(moved, place.paths.root)
  }
})
