import { realpathSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Verification } from '../../cli/verify/verification.ts'
import type { RunReport } from '../../activities/run-report.ts'
import { APRIL_MS, openMarketWarehouse } from '../parts/market-warehouse.ts'
import { movableClock, openWarehouse } from '../parts/proof-warehouse.ts'
import { inDuckdb } from '../parts/duckdb.ts'
import { runCaptured } from '../parts/run-captured.ts'

const LINES = [
  'coins: {}',
  'market_chart: { coins: [bitcoin, ethereum], granularity: daily, from: 2024-02-20, to: 2024-04-01 }',
]

test('a stretch is asked for again; what changed is a revision, and the past can still be asked', async () => {
  const { clock, market, served, warehouse } = await openMarketWarehouse({
    dailyDays: 60,
    moving: false,
  })
  await warehouse.export(LINES)
  const calls = served.log.length
  const stretch = ['--from', '2024-03-05', '--to', '2024-03-10', '--coins', 'bitcoin', '--json']

  const same = await warehouse.run('refetch', ...stretch)
  expect(same.exitCode).toBe(0)
  const report = JSON.parse(same.stdout) as RunReport
  expect(report.datasets.map(({ dataset, planned }) => [dataset, planned])).toEqual([
    ['market_chart', 1],
  ])
  expect(served.log).toHaveLength(calls + 1)
  expect((await warehouse.run('revisions')).stdout).toContain('no value has changed')

  // An hour later the source has thought better of a day.
  clock.set(APRIL_MS + 3_600_000)
  await market.connection.run(
    `UPDATE market_chart SET price = 12.5 WHERE coin_id = 'bitcoin' AND granularity = '1d'
         AND bucket_date = DATE '2024-03-07'`,
  )
  expect((await warehouse.run('refetch', ...stretch)).exitCode).toBe(0)
  expect(served.log).toHaveLength(calls + 2)
  const seen = await warehouse.run('revisions', '--json')
  expect(JSON.parse(seen.stdout)).toMatchObject([
    {
      table: 'market_chart',
      key: { coin_id: 'bitcoin', vs_currency: 'usd', granularity: '1d' },
      changed: { price: { after: 12.5 } },
      firstSeenAt: '2024-04-10T05:30:00.000Z',
      replacedAt: '2024-04-10T06:30:00.000Z',
    },
  ])
  const asked = await asOfDay(warehouse.paths.duckdbLink, '2024-03-07', [
    '2024-04-10T05:00:00Z',
    '2024-04-10T06:00:00Z',
    '2024-04-10T07:00:00Z',
  ])
  const changed = (JSON.parse(seen.stdout) as { changed: { price: { before: number } } }[])[0]
  expect(asked).toEqual([null, changed?.changed.price.before, 12.5])
  const found = await warehouse.run('verify', '--json')
  expect((JSON.parse(found.stdout) as Verification).differences).toEqual([])
  expect((await warehouse.export(LINES)).requests).toEqual([])
})

/** The price of a day as it was known at each moment: opened as it is, and attached under another name. */
async function asOfDay(file: string, day: string, moments: readonly string[]): Promise<unknown[]> {
  const where = `WHERE coin_id = 'bitcoin' AND bucket_date = DATE '${day}'`
  const ask = async (opened: string, attach: string | null, from: (moment: string) => string) => {
    return await inDuckdb(opened, async (connection) => {
      if (attach !== null) await connection.run(attach)
      const prices: unknown[] = []
      for (const moment of moments) {
        const sql = `SELECT price ${from(`TIMESTAMPTZ '${moment}'`)} ${where}`
        prices.push((await connection.runAndReadAll(sql)).getRowsJS()[0]?.[0] ?? null)
      }
      return prices
    })
  }
  const attach = `ATTACH '${file}' AS elsewhere (READ_ONLY)`
  const attached = await ask(
    ':memory:',
    attach,
    (moment) => `FROM elsewhere.market_chart_as_of(${moment}, db := 'elsewhere')`,
  )
  const viewed = await ask(
    ':memory:',
    attach,
    (moment) =>
      `FROM (FROM elsewhere.market_chart_versions
         WHERE known_from <= ${moment} AND coalesce(known_to > ${moment}, true))`,
  )
  const direct = await ask(
    realpathSync(file),
    null,
    (moment) => `FROM market_chart_as_of(${moment})`,
  )
  expect(attached).toEqual(direct)
  expect(viewed).toEqual(direct)
  return direct
}

test.each([
  [['--to', '2024-03-10'], 'USAGE', 'refetch needs --from'],
  [['--from', '2024-03-10'], 'USAGE', 'refetch needs --to'],
  [
    ['--from', '2024-03-01', '--to', '2024-03-10', '--dataset', 'coins'],
    'CONFIG_FLAG_UNUSED',
    'no dataset takes',
  ],
])('%j is refused: %s', async (flags, code, says) => {
  const warehouse = openWarehouse({ url: 'http://127.0.0.1:9', log: [] }, movableClock(APRIL_MS))
  await warehouse.plan(LINES)
  const { exitCode, stderr } = await warehouse.run('refetch', ...flags)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`error[${code}]`)
  expect(stderr).toContain(says)
})

test('the help names no default for a flag that is needed', async () => {
  const { stdout } = await runCaptured(['refetch', '--help'])
  expect(stdout).toContain('--to <time>')
  expect(stdout.replaceAll(/\s+/g, ' ')).not.toContain('up to now')
})
