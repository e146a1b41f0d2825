import { expect, test } from 'vitest'
import type { ReportFacts } from '../../../cli/report/facts/report-facts.ts'
import { openMarketWarehouse } from '../../parts/market-warehouse.ts'

/** Warnings from the listing of the market. */
const MEANT = [
  'there is no coin "Bitcoin" in the list of 2024-04-10 (5 coins): did you mean `bitcoin`?',
  'there is no coin "bitcion" in the list of 2024-04-10 (5 coins): did you mean `bitcoin`?',
  'there is no coin "btc" in the list of 2024-04-10 (5 coins): did you mean `bitcoin` (it has this symbol)?',
]

test('mistyped ids: warned of before a call, a gap once, then unknown at the source, and ignored on demand', async () => {
  const { served, warehouse } = await openMarketWarehouse()
  const charts = (more: string): string[] => [
    `market_chart: { coins: [bitcoin, btc, Bitcoin, bitcion], granularity: 1d, from: 2024-04-01${more} }`,
  ]
  await warehouse.plan(charts(''))
  // Nothing is known of any id before there is a listing.
  expect((await warehouse.run('plan')).stderr).toBe('')
  await warehouse.export(['coins: {}', 'coin_markets: {}', 'vs_currencies: {}'])
  await warehouse.plan(charts(''))
  const warnings = (text: string): string[] =>
    text.split('\n').flatMap((line) => /^warning: (.*)$/.exec(line)?.[1] ?? [])
  const calls = served.log.length
  expect(warnings((await warehouse.run('plan')).stderr)).toEqual(MEANT)
  const { stdout } = await warehouse.run('config', 'check', '--json')
  expect((JSON.parse(stdout) as { warnings: string[] }).warnings).toEqual(MEANT)
  await warehouse.plan(charts(', vs_currencies: [usd, uds]'))
  const MEANT_USD =
    /^there is no currency "uds" in the list of 2024-04-10 \(\d+ currenc.*did you mean `usd`\?$/
  const all = [...MEANT, expect.stringMatching(MEANT_USD) as string]
  expect(warnings((await warehouse.run('plan')).stderr)).toEqual(all)
  const checked = await warehouse.run('config', 'check', '--json')
  expect((JSON.parse(checked.stdout) as { warnings: string[] }).warnings).toEqual(all)
  expect(served.log.length).toBe(calls)
  await warehouse.plan(charts(''))

  const first = await warehouse.run('backfill')
  expect([first.exitCode, warnings(first.stderr)]).toEqual([3, MEANT])
  expect(first.stderr.indexOf('warning:')).toBeLessThan(first.stderr.indexOf('partial'))
  expect(served.log.slice(calls).filter(({ status }) => status === 404)).toHaveLength(3)
  const told = served.log.length
  const again = await warehouse.run('backfill')
  expect([again.exitCode, served.log.length]).toEqual([0, told])
  const days = 'complete, unreachable: 30 days: '
  const unknown = 'unknown at the source: btc was never in an answer for market_chart'
  for (const line of [days, unknown]) {
    expect(again.stderr).toContain(line)
    expect((await warehouse.run('status')).stdout).toContain(line)
  }
  const gaps = await warehouse.run('gaps')
  expect([gaps.exitCode, gaps.stdout.includes('`coinlake backfill`')]).toEqual([0, false])
  const report = await warehouse.run('report', '--json')
  const facts = JSON.parse(report.stdout) as ReportFacts
  expect(facts.verdict).toMatchObject({ word: 'complete', unreachableDays: 30 })
  // By hand, and at once.
  const stretch = ['--from', '2024-04-01', '--to', '2024-04-03']
  await warehouse.run('refetch', '--coins', 'bitcion', ...stretch)
  expect(served.log.slice(told).filter(({ status }) => status === 404)).toHaveLength(1)
  const asked = served.log.length

  await warehouse.plan(charts(', ignore: [btc, Bitcoin, bitcion]'))
  const silent = await warehouse.run('backfill')
  expect([silent.exitCode, silent.stderr.includes('unknown at')]).toEqual([0, false])
  expect(silent.stderr).toMatch(/^complete: /m)

  for (const command of ['plan', 'backfill', 'gaps']) {
    const { exitCode, stderr } = await warehouse.run(command, '--coins', 'TOP:20')
    expect([exitCode, stderr]).toEqual([2, MEANT_TOP])
  }
  expect(served.log.length).toBe(asked)
})

const MEANT_TOP = expect.stringContaining('Did you mean `top:20`?') as unknown
