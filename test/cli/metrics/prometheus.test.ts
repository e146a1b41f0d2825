import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import type { Freshness } from '../../../cli/freshness/freshness-facts.ts'
import { freePort } from '../../../engine/server/free-port.ts'
import { readFaults } from '../../../service/faults/read-faults.ts'
import { openMarketLake } from '../../parts/market-lake.ts'
import { byLabel, type MetricSample, readExposition, sumOf } from './metric-samples.ts'

/** Three coins of four are there. The first is not: its answer has `ping` asked, which may be refused too. */
const CHART =
  'market_chart: { coins: "COINS", granularity: hourly, from: 2023-11-01, to: 2024-04-01 }'
const QUOTA = { calls: 200, perMs: 10_000 }
const RATE = 'rate: { calls: 200, per: 10s }'
const MONTH = 5_000
const WAITS = '- { fault: rate_status, rate: 0.4, times: 1, wait_ms: 50 }'

test('what is scraped while a worker works, and after, is what the run and the service have counted', async () => {
  const { service, lake } = await openMarketLake(
    {
      coins: 3,
      latencyMs: 20,
      quota: QUOTA,
      faults: readFaults('faults', WAITS, 7),
      // The run is open for a while, with pages in and pages out.
      slow: { from: 4, to: 7, byMs: 2_500 },
    },
    [CHART.replace('"COINS"', '[no-such-coin, bitcoin, ethereum, tether]'), 'exchange_rates: {}'],
    // Workers of other tests on the same server would do some of what is counted here.
    { sinks: ['duckdb'], engineDir: null },
  )
  const port = await freePort()
  const file = readFileSync(lake.configFile, 'utf8')
  writeFileSync(
    lake.configFile,
    file.replace('concurrency: 4', `concurrency: 4, ${RATE}, monthly_calls: ${MONTH}`),
  )
  appendFileSync(
    lake.configFile,
    `metrics: { prometheus: ${port} }\nfreshness: { market_chart: 2d, exchange_rates: 1h }\n`,
  )
  const scrape = async (): Promise<MetricSample[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(answer.status).toBe(200)
    return readExposition(await answer.text())
  }
  const worker = lake.start(['worker'])
  await worker.says('working on')
  const backfill = lake.start(['backfill', '--json'])
  const patience = { timeout: 60_000, interval: 50 }
  await expect
    .poll(async () => sumOf(await scrape(), 'coinlake_pages_total'), patience)
    .toBeGreaterThan(0)
  expect(sumOf(await scrape(), 'coinlake_runs_total')).toBeNull()

  const { code, stdout, stderr } = await backfill.ended
  expect(code, stderr).toBe(3)
  const { rows, calls, slices, publications } = JSON.parse(stdout) as RunReport
  const asked = service.log
  expect(calls).toBe(asked.length)
  // Keys are looked at every few seconds.
  await expect.poll(async () => sumOf(await scrape(), 'coinlake_calls_total'), patience).toBe(calls)
  await expect
    .poll(async () => sumOf(await scrape(), 'coinlake_month_used_calls'), patience)
    .toBe(calls)
  const samples = await scrape()
  const sum = (name: string): number | null => sumOf(samples, `coinlake_${name}`)
  const refused = asked.filter(({ status }) => status === 429).length
  expect(refused).toBeGreaterThan(0)
  expect(sum('throttled_total')).toBe(refused)
  expect(sum('rows_loaded_total')).toBe(rows)
  const { loaded, provisional, empty, failed } = slices
  expect(byLabel(samples, 'coinlake_slices_total', 'state')).toEqual({
    loaded: loaded + provisional + empty,
    failed,
  })
  expect(byLabel(samples, 'coinlake_runs_total', 'verdict')).toEqual({ partial: 1 })
  expect(sum('publish_duration_seconds_count')).toBe(publications.length)
  expect(sum('received_bytes_total')).toBeGreaterThan(1_000)
  expect([sum('budget_allowed_calls'), sum('budget_window_seconds')]).toEqual([
    QUOTA.calls,
    QUOTA.perMs / 1_000,
  ])
  expect(sum('month_ceiling_calls')).toBe(MONTH)

  const status = await lake.start(['status', '--json']).ended
  const { freshness } = JSON.parse(status.stdout) as { freshness: Freshness[] }
  expect(freshness.map(({ dataset }) => dataset).toSorted()).toEqual([
    'exchange_rates',
    'market_chart',
  ])
  for (const { dataset, ageMs, allowedMs, state } of freshness) {
    const of = (name: string): unknown => byLabel(samples, `coinlake_${name}`, 'dataset')[dataset]
    expect([dataset, of('lag_seconds'), of('freshness_target_seconds'), of('stale')]).toEqual([
      dataset,
      Number(ageMs) / 1_000,
      allowedMs / 1_000,
      state === 'stale' ? 1 : 0,
    ])
  }
  const coverage = byLabel(samples, 'coinlake_coverage_ratio', 'dataset')
  expect(coverage['market_chart']).toBeCloseTo(3 / 4, 9)
  expect(coverage['exchange_rates']).toBe(1)
  const ended = byLabel(samples, 'temporal_workflow_completed_total', 'workflow_type')
  expect(ended).toMatchObject({ exportWarehouse: 1 })

  worker.kill('SIGINT')
  expect((await worker.ended).code).toBe(0)
  await expect(scrape()).rejects.toThrow('fetch failed')
})
