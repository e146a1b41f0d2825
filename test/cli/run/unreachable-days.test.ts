import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import type { ReportFacts } from '../../../cli/report/facts/report-facts.ts'
import { profiles } from '../../../config/profiles.ts'
import { APRIL_MARKET, APRIL_MS } from '../../parts/market-warehouse.ts'
import { holdMarket } from '../../parts/held-market.ts'
import { movableClock } from '../../parts/proof-warehouse.ts'
import { serveInTest } from '../../parts/serve-source.ts'
import { openWarehouseFolder } from '../../parts/warehouse-folder.ts'

const COINS = 20
const SPEC = { ...APRIL_MARKET, coins: COINS, dailyDays: 60 }

type Told = Pick<RunReport, 'unreachable' | 'verdict'>

test.for([
  {
    name: 'candles from two years ago',
    profile: 'interface',
    dataset: 'ohlc: { coins: [bitcoin, ethereum], granularity: 4h, from: 2022-04-10 }',
    // 2024-03-11 06:00, thirty days ago, is on the grid of 4 hours at 08:00.
    days: 2 * (701 + 8 / 24),
    text: '1,402.67 days',
    empty: '',
    share: '',
    line: 'ohlc 4h: 1,402.67 days of 2 series [2022-04-10T00:00Z, 2024-03-11T08:00Z): the source does not answer that far back',
  },
  {
    name: 'charts of a demo key from three years ago',
    profile: 'coingecko-demo',
    dataset: `market_chart: { coins: "top:${COINS}", granularity: daily, from: 2021-04-10 }`,
    // 365 days ago at 05:30, and from the next midnight on.
    days: COINS * 732,
    text: '14,640 days',
    empty: '; the source has nothing for 6,100 of 21,940 days',
    share: ', 27.8 % empty at the source',
    line: 'market_chart 1d: 14,640 days of 20 series [2021-04-10, 2023-04-12): the plan of the key does not reach that far back',
  },
] as const)(
  '$name: every command names the same days, and nothing is called whole',
  async ({ profile, dataset, days, text, empty, share, line }) => {
    const clock = movableClock(APRIL_MS)
    const market = await holdMarket(SPEC, clock)
    const served = await serveInTest(market.source, { profile: profiles[profile] })
    const place = openWarehouseFolder({ clock, env: { COINLAKE_API_KEY: 'key' } })
    const source = [`profile: ${profile}`, `base_url: "${served.url}"`]
    place.configure({ source, datasets: [dataset] })
    const json = async <T>(...words: string[]): Promise<T> =>
      JSON.parse((await place.run(...words, '--json')).stdout) as T
    const plan = await place.run('plan')
    expect(plan.stdout).toContain(`lost     ${text} of wanted history are unreachable`)

    const told: Record<string, number> = { plan: (await json<Told>('plan')).unreachable.days }
    const first = await place.run('backfill')
    expect([first.exitCode, first.stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^complete, unreachable: ${text}: `, 'm')),
    ])
    expect(first.stderr).toContain(`cannot be reached: ${line}`)
    const calls = served.log.length
    const again = await json<Told>('backfill')
    expect(again.verdict).toBe('complete')
    // A complete warehouse asks for nothing again, out of reach or not.
    expect(served.log.length).toBe(calls)
    told['backfill'] = again.unreachable.days
    told['status'] = (await json<Told>('status')).unreachable.days
    told['gaps'] = (await json<Told>('gaps')).unreachable.days
    const { verdict, run, coverage } = await json<ReportFacts>('report')
    told['report'] = verdict.unreachableDays
    told['its run'] = run.report?.unreachable.days ?? 0
    const reason = profile === 'interface' ? 'source_reach' : 'plan_limit'
    const sql = `SELECT sum(days) AS days, any_value(reason) AS reason FROM coverage WHERE state = 'unreachable'`
    const [row] = JSON.parse((await place.run('query', sql, '--format', 'json')).stdout) as [
      { days: number; reason: string },
    ]
    told['coverage'] = row.days
    expect(row.reason).toBe(reason)
    for (const [command, number] of Object.entries(told)) {
      expect(number, command).toBeCloseTo(days, 6)
    }

    const gaps = await place.run('gaps')
    expect([gaps.exitCode, gaps.stdout.trimEnd().split('\n').at(-1)]).toEqual([
      0,
      `no gaps, unreachable: ${text}: all reachable data are there${empty}`,
    ])
    expect(verdict.sentence).toMatch(
      new RegExp(`^complete, unreachable: ${text}: all reachable data`),
    )
    expect((await place.run('status')).stdout).toContain(`complete, unreachable: ${text}: `)
    expect(coverage.histories[0]?.coveredShare).toBeLessThan(0.5)
    expect(coverage.histories[0]?.all[0]).toBe('unreachable')
    await place.run('report', '-o', 'report.html')
    const page = readFileSync(join(place.dir, 'report.html'), 'utf8')
    expect(page).toContain('unreachable')
    expect(page).not.toContain('100.0 % there')
    expect(page).toContain(` % there${share}, a column`)
    expect((await place.run('plan')).stdout).toContain(
      `nothing to do, unreachable: ${text}: the warehouse has all reachable data`,
    )
  },
)
