import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import { type Relation, relations } from '../../../cli/look/relations.ts'
import { type LedgerRun, withReports } from '../../../cli/look/runs.ts'
import { memoryDuckdb } from '../../parts/duckdb.ts'
import { openMarketFolder } from '../../parts/market-lake.ts'

const { service, folder: place } = await openMarketFolder({ coins: 3 }, () => ({}), afterAll)

beforeAll(async () => {
  place.configure({
    source: [`base_url: "${service.url}"`],
    datasets: [
      'coins: {}',
      'market_chart: { coins: [bitcoin, nobody], from: 2024-03-28, to: 2024-04-02 }',
    ],
  })
  expect((await place.run('backfill')).exitCode).toBe(3)
})

test('tables tells of what is there: rows, moments, what a row is, and the views', async () => {
  const { exitCode, stdout } = await place.run('tables')
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(
    /^market_chart +5 +2024-03-28 00:00Z +2024-04-01 00:00Z +coin_id, vs_currency, granularity, ts$/m,
  )
  expect(stdout).toMatch(/^coins +3 /m)
  expect(stdout).toMatch(/^daily_prices +One row per coin, currency and UTC day$/m)
  // Nobody has asked for it.
  expect(stdout).not.toContain('ohlc')
  const { stdout: json } = await place.run('tables', '-w', 'warehouse', '--json')
  const found = JSON.parse(json) as Relation[]
  expect(found.find(({ name }) => name === 'market_chart')).toMatchObject({
    kind: 'table',
    rows: 5,
    from: '2024-03-28T00:00:00.000Z',
    to: '2024-04-01T00:00:00.000Z',
  })
})

test('a listing is as new as the last sight of its rows', async () => {
  const connection = await memoryDuckdb()
  await connection.run(`CREATE TABLE coins AS SELECT 'a' AS coin_id,
    TIMESTAMPTZ '2024-03-01 00:00:00Z' AS first_seen_at, TIMESTAMPTZ '2024-03-07 00:00:00Z' AS last_seen_at`)
  expect(await relations(connection)).toMatchObject([
    { name: 'coins', from: '2024-03-01T00:00:00.000Z', to: '2024-03-07T00:00:00.000Z' },
  ])
})

test('runs tells what ran and how it ended, of a warehouse and of a published file', async () => {
  expect((await place.run('backfill')).exitCode).toBe(0)
  const { stdout } = await place.run('runs')
  const [head = '', ...lines] = stdout.trimEnd().split('\n')
  expect(head).toMatch(/^run +by +began +loaded in +ended +calls +rows +failed slices$/)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/by hand .* complete +0 +0 +0$/)
  expect(lines[1]).toMatch(/by hand .* partial +\d+ +\d+ +1$/)
  // A run that changed no row is not published.
  for (const [at, newest] of [
    ['warehouse', { verdict: 'complete', calls: 0 }],
    [join('warehouse', 'coinlake.duckdb'), { verdict: 'partial', calls: 3 }],
  ] as const) {
    const { stdout: json } = await place.run('runs', '-w', at, '--limit', '1', '--json')
    expect(JSON.parse(json) as LedgerRun[]).toMatchObject([newest])
  }
})

test.each([
  ['of rows that were there before', 'refetch', 'bitcoin', 5],
  ['of a run that chose its coins before its plan', 'by hand', 'top:1', 0],
])('runs tells as many rows and calls as the report %s', async (_, by, coins, rows) => {
  const days = ['--from', '2024-03-28', '--to', '2024-04-02']
  const asked = ['--dataset', 'market_chart', '--coins', coins, ...days]
  const command = by === 'refetch' ? 'refetch' : 'backfill'
  const { stdout: report } = await place.run(command, ...asked, '--json')
  const { calls } = JSON.parse(report) as { calls: number }
  expect(calls).toBeGreaterThan(0)
  const { stdout } = await place.run('runs', '--limit', '1', '--json')
  expect(JSON.parse(stdout)).toMatchObject([{ by, rows, calls }])
})

test('reports tell of runs that a publication has not, or has as open', () => {
  const at = '2024-04-01T00:00:00Z'
  const figures = { calls: 2, rows: 3 }
  const ofLedger = (runId: string, verdict: string): LedgerRun => {
    const finishedAt = verdict === 'open' ? null : at
    return { runId, by: 'hourly', startedAt: at, finishedAt, verdict, ...figures, failedSlices: 0 }
  }
  const report = (runId: string, failed: number) =>
    ({
      runId,
      startedAt: at,
      finishedAt: at,
      verdict: 'failed',
      ...figures,
      slices: { failed },
    }) as RunReport
  const found = [ofLedger('r2', 'open'), ofLedger('r1', 'complete')]
  const reports = [report('r3', 4), report('r2', 5), report('r1', 6)]
  const expected = [
    { runId: 'r3', by: null, verdict: 'failed', failedSlices: 4 },
    { runId: 'r2', by: 'hourly', verdict: 'failed', finishedAt: at, failedSlices: 5 },
    ofLedger('r1', 'complete'),
  ]
  expect(withReports(found, reports, 3)).toMatchObject(expected)
  expect(withReports(found, reports, 1)).toMatchObject(expected.slice(0, 1))
})

test.each([
  [['revisions', '--table', 'market_chat'], 2, 'Did you mean `market_chart`?'],
  [['quarantine', 'list', '--dataset', 'market_chat'], 2, 'Did you mean `market_chart`?'],
  [['revisions', '--table', 'market_chart'], 0, ''],
  [['quarantine', 'list', '--dataset', 'market_chart'], 0, ''],
  [['runs', '--limit', '0'], 0, ''],
])('%j: %i', async (words, exitCode, says) => {
  const told = await place.run(...words)
  expect(told).toMatchObject({ exitCode, stderr: expect.stringContaining(says) })
  expect(told.stdout).not.toContain('nothing has run yet')
})

test('a place where nothing is, is told', async () => {
  const tables = await place.run('tables', '-w', 'nowhere')
  expect([tables.exitCode, tables.stderr]).toEqual([2, expect.stringContaining('nowhere')])
  const runs = await place.run('runs', '-w', 'nowhere')
  expect([runs.exitCode, runs.stdout]).toEqual([0, 'nothing has run yet\n'])
  expect(runs.stderr).toContain('nowhere')
})
