import { chmodSync, realpathSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Finding } from '../../../cli/doctor/finding.ts'
import type { ReportFacts } from '../../../cli/report/facts/report-facts.ts'
import type { Verification } from '../../../cli/verify/verification.ts'
import type { Warehouse } from '../../parts/proof-warehouse.ts'
import { holdFile } from '../../parts/hold-file.ts'
import { openMarketWarehouse } from '../../parts/market-warehouse.ts'

const CHART = ['market_chart: { coins: [bitcoin], granularity: daily, from: 2024-03-20 }']
const COUNT = 'select count(*) as n from market_chart'
/** Doctor, status, verify and the report name each publication that is gone, and what to do. */
async function expectGone(warehouse: Warehouse, reasons: readonly RegExp[]): Promise<void> {
  const { exitCode, stdout } = await warehouse.run('doctor', '--json')
  expect(exitCode).toBe(5)
  const faults = (JSON.parse(stdout) as Finding[]).filter(({ code }) => code === 'PUBLICATION_GONE')
  expect(faults.map(({ what }) => what)).toEqual(reasons.map((one) => expect.stringMatching(one)))
  expect(faults[0]).toMatchObject({ hint: expect.stringContaining('coinlake backfill') })
  const status = await warehouse.run('status', '--check')
  expect(status.exitCode).toBe(3)
  for (const reason of reasons) expect(status.stdout).toMatch(reason)
  const verify = await warehouse.run('verify', '--json')
  expect(verify.exitCode).toBe(1)
  const { differences } = JSON.parse(verify.stdout) as Verification
  expect(differences.map(({ place }) => place)).toEqual(faults.map(({ about }) => about))
  expect(differences[0]).toMatchObject({ check: 'file', found: 'nothing' })
  const { verdict } = JSON.parse((await warehouse.run('report', '--json')).stdout) as ReportFacts
  const told = verdict.problems.filter(({ code }) => code === 'PUBLICATION_GONE')
  expect(told).toHaveLength(reasons.length)
  expect(verdict).toMatchObject({ word: 'incomplete', next: [{ command: 'coinlake backfill' }] })
}

const ROWS = { exitCode: 0, stdout: 'n\n23\n' }

test('a published file that somebody has open for writing, or deletes: said what to do, and mended without a call', async () => {
  const { warehouse } = await openMarketWarehouse()
  const { paths } = warehouse
  await warehouse.export(CHART)
  expect(await warehouse.run('query', COUNT)).toMatchObject(ROWS)

  const held = realpathSync(paths.duckdbLink)
  chmodSync(held, 0o644)
  const holder = await holdFile(held)
  const shut = await warehouse.run('query', COUNT)
  expect(shut).toMatchObject({ exitCode: 6, stdout: '' })
  expect(shut.stderr).toContain(`error[WAREHOUSE_HELD]: warehouse ${paths.duckdbLink} is held`)
  expect(shut.stderr).toContain('A program has it open for writing')
  const beside = await warehouse.export(CHART)
  expect(beside).toMatchObject({ requests: [], report: { verdict: 'complete' } })
  const [duckdb] = beside.report.publications
  expect(duckdb).toMatchObject({
    changed: true,
    warnings: [expect.stringContaining(`${held} is open for writing`)],
  })
  expect(await warehouse.run('query', COUNT)).toMatchObject(ROWS)
  await holder.release()

  // Without the file and the tree nothing is there to read, and the links lead nowhere.
  rmSync(realpathSync(paths.duckdbLink))
  rmSync(paths.parquetVersionsDir, { recursive: true })
  const gone = await warehouse.run('query', COUNT)
  expect(gone).toMatchObject({ exitCode: 2, stdout: '' })
  expect(gone.stderr).toMatch(/error\[NO_PUBLICATION\]: .*\n {2}hint: .*coinlake backfill/)
  await expectGone(warehouse, [
    /leads to .*\.duckdb, which is gone/,
    /parquet leads to parquet-versions\/\d+, which is gone/,
  ])
  expect((await warehouse.export(CHART)).requests).toEqual([])
  expect(await warehouse.run('query', COUNT)).toMatchObject(ROWS)
  rmSync(paths.duckdbLink)
  await expectGone(warehouse, [/nothing is published in .*coinlake\.duckdb, where run .* had/])
  expect((await warehouse.export(CHART)).requests).toEqual([])
  expect(await warehouse.run('status', '--check')).toMatchObject({ exitCode: 0 })
  expect((await warehouse.run('verify')).stdout).toContain('no difference')
})
