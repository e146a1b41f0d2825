import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ReportFacts } from '../../../cli/report/facts/report-facts.ts'
import { EVIL, preparedWarehouse, type PreparedWarehouse } from '../../parts/prepared-warehouse.ts'
import { holdFile } from '../../parts/hold-file.ts'

async function factsOf(warehouse: PreparedWarehouse, ...argv: string[]): Promise<ReportFacts> {
  const told = await warehouse.run('report', '--json', ...argv)
  expect(told).toMatchObject({ exitCode: 0, stderr: '' })
  return JSON.parse(told.stdout) as ReportFacts
}

test('every section says what is in the ledger and in the tables', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  const facts = await factsOf(warehouse)
  const sections =
    'format madeAt coinlakeVersion warehouse source notes verdict run coverage gaps quarantine revisions budget freshness prices'
  expect(Object.keys(facts)).toEqual(sections.split(' '))
  expect(facts).toMatchObject({ format: 1, source: 'store', notes: [] })
  expect(facts.verdict).toMatchObject({
    word: 'partial',
    level: 'bad',
    sentence:
      'partial: 1 slice failed, 1 of 2 series have gaps, 3 rows quarantined, newest daily price 29.5 h old',
  })
  expect(facts.run.report).toMatchObject({
    runId: 'r1',
    verdict: 'partial',
    calls: 12,
    slices: { planned: 3, loaded: 2, failed: 1 },
    failures: [{ entity: EVIL, code: 'SOURCE_NOT_FOUND' }],
  })
  const [map] = facts.coverage.histories
  expect(map).toMatchObject({
    dataset: 'market_chart',
    granularity: '1d',
    unit: 'day',
    series: 2,
    more: 0,
  })
  expect(map?.rows.map(({ name }) => name)).toEqual([`${EVIL} usd`, 'bitcoin usd'])
  expect(map?.rows[0]?.cells.slice(0, 9)).toEqual([
    ...Array<string>(4).fill('covered'),
    ...Array<string>(5).fill('missing_most'),
  ])
  expect(map?.rows[1]?.cells.slice(0, 9)).toEqual(Array<string>(9).fill('quarantined'))
  expect(facts.gaps).toMatchObject({ series: 2, seriesWithHoles: 1, holeCount: 1 })
  expect(facts.gaps?.holes).toMatchObject([
    {
      entity: EVIL,
      from: '2024-04-05T00:00:00.000Z',
      to: '2024-04-10T00:00:00.000Z',
      days: 5,
      reason: 'failed',
    },
  ])
  expect(facts.quarantine).toMatchObject({
    rows: 3,
    byRule: [{ dataset: 'market_chart', rule: 'not_a_number', rows: 3 }],
  })
  expect(facts.quarantine.newest).toHaveLength(3)
  expect(facts.revisions).toMatchObject({ rows: 2, byTable: [{ table: 'market_chart', rows: 2 }] })
  expect(facts.revisions.newest[0]?.changed).toEqual({ price: { before: 1.5, after: 2.5 } })
  expect(facts.budget).toMatchObject({
    calls: 12,
    throttled: 1,
    failed: 1,
    binMs: 1_000,
    busiestMinute: { at: '2024-04-10T05:00:00.000Z', calls: 12 },
    rate: { calls: 30, perMs: 60_000 },
  })
  expect(facts.budget.over).toHaveLength(12)
  expect(facts.budget.over[7]).toMatchObject({ good: 0, throttled: 1, failed: 0 })
  expect(facts.budget.months).toMatchObject([{ ceiling: 1000 }])
  expect(facts.freshness).toMatchObject([
    {
      dataset: 'market_chart',
      granularity: '1d',
      newestAt: '2024-04-09T00:00:00.000Z',
      state: 'stale',
    },
  ])
  expect(facts.prices).toMatchObject({ coinId: 'bitcoin', vsCurrency: 'usd', granularity: '1d' })
  expect(facts.prices?.points).toHaveLength(9)
  expect(facts.prices?.candles).toMatchObject({ granularity: '1d' })
  expect(facts.prices?.candles?.rows).toEqual(
    ['01', '02'].map((day) => ({
      at: `2024-04-${day}T00:00:00.000Z`,
      open: 100,
      high: 110,
      low: 90,
      close: 95,
    })),
  )
})

test('before the first run: what to do, and no fault', async () => {
  const warehouse = await preparedWarehouse([], [])
  const facts = await factsOf(warehouse)
  expect(facts).toMatchObject({ source: 'none', notes: [], prices: null })
  expect(facts.verdict).toMatchObject({ word: 'nothing yet', level: 'warn', problems: [] })
  expect(facts.verdict.sentence).toBe(`nothing yet: no run has ended in ${warehouse.paths.root}`)
  expect(facts.verdict.next.map(({ command }) => command)).toEqual([
    'coinlake plan',
    'coinlake backfill',
  ])
  const page = await warehouse.run('report', '-o', '-')
  expect(page).toMatchObject({ exitCode: 0, stderr: '' })
  expect(page.stdout.includes('There is no report of a run here.')).toBe(true)
})

test('a published file without its store, Parquet files alone', async () => {
  const file = await preparedWarehouse(['duckdb'])
  rmSync(file.paths.stateDir, { recursive: true })
  const copied = await factsOf(file)
  expect(copied.source).toBe('publication')
  expect(copied.notes).toMatchObject([expect.stringContaining('there is no store')])
  expect(copied.verdict.sentence).toMatch(
    /^incomplete: no report of a run is here, 1 of 2 series have gaps/,
  )

  const tree = await preparedWarehouse(['parquet'])
  rmSync(tree.paths.stateDir, { recursive: true })
  const alone = await factsOf(tree)
  expect(alone).toMatchObject({ source: 'none', gaps: null, run: { report: null } })
  expect(alone.notes).toMatchObject([expect.stringContaining('gaps are not known')])
  expect(alone.prices?.points).toHaveLength(9)
  expect(alone.freshness).toMatchObject([{ newestAt: '2024-04-09T00:00:00.000Z' }])
  expect(await tree.run('report', '-o', '-')).toMatchObject({ exitCode: 0 })
})

test.each([['duckdb'], ['parquet']] as const)(
  'while another process holds the store and %s is published',
  async (sink) => {
    const warehouse = await preparedWarehouse([sink])
    const holder = await holdFile(warehouse.paths.storeFile)
    const facts = await factsOf(warehouse)
    expect(facts.source).toBe(sink === 'duckdb' ? 'publication' : 'none')
    expect(facts.notes[0]).toContain(`held by process ${holder.pid}`)
    expect(facts.prices?.points).toHaveLength(9)
    expect(facts.gaps === null).toBe(sink === 'parquet')
  },
)

test('a run, a coin, a currency that are not there: exit 2 and what there is', async () => {
  const warehouse = await preparedWarehouse(['duckdb'])
  expect((await factsOf(warehouse, '--run', 'r1')).budget.calls).toBe(12)
  const run = await warehouse.run('report', '--run', 'r9')
  expect(run).toMatchObject({ exitCode: 2, stdout: '' })
  expect(run.stderr).toContain('error[RUN_UNKNOWN]')
  const coin = await warehouse.run('report', '--coin', 'dogecoin', '--json')
  expect(JSON.parse(coin.stdout)).toMatchObject({
    exitCode: 2,
    error: { code: 'COIN_UNKNOWN', message: 'no price of dogecoin is published' },
  })
  expect(coin.stderr).toContain('select distinct coin_id, vs_currency')
  const currency = await warehouse.run('report', '--vs', 'eur', '--json')
  expect(currency.stderr).toContain('no price of any coin in eur is published')
  expect((await factsOf(warehouse, '--coin', EVIL)).prices).toMatchObject({ coinId: EVIL })
})
