import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RunReport } from '../../../activities/run-report.ts'
import { freePort } from '../../../engine/server/free-port.ts'
import { openMarketLake } from '../../parts/market-lake.ts'
import { byLabel, sumOf } from './metric-samples.ts'
import { otlpReceiver } from './otlp-receiver.ts'

/** One coin is there, the other is not: such a run is partial. */
const CHART =
  'market_chart: { coins: [bitcoin, no-such-coin], granularity: hourly, from: 2024-03-01 }'

test('a collector is sent what a short run came to; one that is down holds nothing up', async () => {
  const options = { sinks: ['duckdb'], engineDir: null } as const
  const { service, lake } = await openMarketLake({ coins: 2, latencyMs: 0 }, [CHART], options)
  const collector = await otlpReceiver()
  appendFileSync(lake.configFile, `metrics: { otlp: "${collector.url}" }\n`)
  // Values are percent-encoded, as OpenTelemetry writes them.
  const env = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20t0ken, x-lake=prices' }
  const run = await lake.start(['backfill', '--json'], env).ended
  expect(run.code, run.stderr).toBe(3)
  const { rows, calls, slices } = JSON.parse(run.stdout) as RunReport
  expect(collector.headers()).toMatchObject({
    'content-type': 'application/x-protobuf',
    authorization: 'Bearer t0ken',
    'x-lake': 'prices',
  })
  const samples = collector.samples()
  expect(sumOf(samples, 'coinlake_rows_loaded')).toBe(rows)
  expect(sumOf(samples, 'coinlake_calls')).toBe(calls)
  expect(service.log).toHaveLength(calls)
  const { provisional, failed } = slices
  expect(byLabel(samples, 'coinlake_slices', 'state')).toEqual({
    loaded: slices.loaded + provisional,
    failed,
  })
  expect(byLabel(samples, 'coinlake_runs', 'verdict')).toEqual({ partial: 1 })
  expect(byLabel(samples, 'coinlake_coverage_ratio', 'dataset')).toEqual({ market_chart: 0.5 })
  const ended = byLabel(samples, 'temporal_workflow_completed', 'workflow_type')
  expect(ended).toMatchObject({ exportWarehouse: 1 })

  const nobody = `http://127.0.0.1:${await freePort()}/v1/metrics`
  const file = readFileSync(lake.configFile, 'utf8')
  writeFileSync(lake.configFile, file.replace(collector.url, nobody))
  const again = await lake.start(['backfill', '--json'], env).ended
  // The id that the source does not know was told by the first run.
  expect(again.code, again.stderr).toBe(0)
  expect(again.stderr + again.stdout).not.toContain('t0ken')
})
