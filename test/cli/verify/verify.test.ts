import { DAY_MS } from '../../../config/values/duration.ts'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Finding } from '../../../cli/doctor/finding.ts'
import type { Verification } from '../../../cli/verify/verification.ts'
import type { Warehouse } from '../../parts/proof-warehouse.ts'
import { askDuckdb } from '../../parts/duckdb.ts'
import { APRIL_MS, openMarketWarehouse } from '../../parts/market-warehouse.ts'

const LINES = ['market_chart: { coins: [bitcoin], granularity: daily, from: 2024-03-01 }']

async function verified(warehouse: Warehouse) {
  const { exitCode, stdout, stderr } = await warehouse.run('verify', '--json')
  expect(stderr).toBe('')
  return { exitCode, found: JSON.parse(stdout) as Verification & { ok: boolean } }
}

async function findingOf(warehouse: Warehouse, about: string) {
  const { exitCode, stdout } = await warehouse.run('doctor', '--json')
  const findings = JSON.parse(stdout) as Finding[]
  return { exitCode, ...findings.find((one) => one.about === about) }
}

test('damage to the publications is named, with its file', async () => {
  // No moving last points: tables are compared after calls at other times.
  const { clock, warehouse } = await openMarketWarehouse({ dailyDays: 60, moving: false })
  await warehouse.export(LINES)
  expect(await warehouse.run('verify')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(
      'no difference: the store, the Parquet files, the published file',
    ),
  })
  const { parquetLink, duckdbLink } = warehouse.paths
  const file = join(parquetLink, 'market_chart', '2024-03.parquet')
  const sound = readFileSync(file)

  const bent = Buffer.from(sound)
  bent[100] = (bent[100] ?? 0) ^ 1
  writeFileSync(file, bent)
  const flipped = await verified(warehouse)
  expect(flipped.exitCode).toBe(1)
  expect(flipped.found.differences).toMatchObject([
    {
      place: 'parquet',
      check: 'file',
      table: 'market_chart',
      what: 'market_chart/2024-03.parquet',
    },
  ])
  appendFileSync(file, 'x')
  expect((await verified(warehouse)).found.differences[0]?.found).toBe(`${sound.length + 1} bytes`)
  rmSync(file)
  expect((await verified(warehouse)).found.differences[0]?.found).toBe('no such file')
  expect(await findingOf(warehouse, 'parquet')).toMatchObject({
    exitCode: 5,
    verdict: 'fault',
    code: 'PUBLICATION_DAMAGED',
    what: expect.stringMatching(/1 file of .* market_chart\/2024-03\.parquet/),
  })
  expect((await warehouse.run('verify')).stdout).toContain(
    '`coinlake verify --repair` publishes it anew',
  )
  // Of two that differ one is no sink any more.
  const configFile = join(warehouse.paths.root, '..', 'coinlake.yaml')
  const config = readFileSync(configFile)
  appendFileSync(configFile, 'sinks: [duckdb]\n')
  rmSync(duckdbLink)
  expect(await warehouse.run('verify', '--repair')).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(
      /published again, without a call: the published file\nleft unchanged: the Parquet files; `sinks` does not name parquet/,
    ),
  })
  writeFileSync(configFile, config)
  expect(await warehouse.run('verify', '--repair')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('published again, without a call: the Parquet files'),
  })
  expect((await verified(warehouse)).found.ok).toBe(true)

  copyFileSync(file, join(parquetLink, 'market_chart', '2024-12.parquet'))
  expect((await verified(warehouse)).found.differences).toMatchObject([
    { place: 'parquet', check: 'file', what: 'market_chart/2024-12.parquet', found: 'a file' },
  ])
  rmSync(join(parquetLink, 'market_chart', '2024-12.parquet'))

  chmodSync(duckdbLink, 0o644)
  await askDuckdb(duckdbLink, `DELETE FROM market_chart WHERE bucket_date = DATE '2024-03-05'`)
  expect(await findingOf(warehouse, 'duckdb')).toMatchObject({
    verdict: 'fault',
    code: 'PUBLICATION_WRITTEN',
    what: expect.stringContaining('it was written to'),
    hint: expect.stringMatching(/coinlake verify.*coinlake backfill/),
  })
  const written = await verified(warehouse)
  expect(written.found.differences.map(({ place, check }) => [place, check])).toEqual([
    ['duckdb', 'file'],
    ['duckdb', 'rows'],
  ])
  clock.set(APRIL_MS + DAY_MS)
  await warehouse.export(LINES)
  expect((await verified(warehouse)).found.ok).toBe(true)
  expect((await findingOf(warehouse, 'duckdb')).verdict).toBe('ok')
})
