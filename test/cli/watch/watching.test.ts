import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Alert } from '../../../activities/alerts/alert.ts'
import { freePort } from '../../../engine/server/free-port.ts'
import type { Lake } from '../../parts/lake.ts'
import { openMarketLake } from '../../parts/market-lake.ts'
import { listen, withBody } from '../../parts/listen.ts'

const SECRET = 's3cr3t-hook'
/** One coin is there, the other is not: such a run is partial. */
const DATASETS = [
  'market_chart: { coins: [bitcoin, no-such-coin], granularity: hourly, from: 2024-03-01 }',
]

async function openWatched(more: string): Promise<Lake> {
  const market = { coins: 2, latencyMs: 60 }
  const { lake } = await openMarketLake(market, DATASETS, { sinks: ['duckdb'] })
  appendFileSync(lake.configFile, more)
  return lake
}

function logLines(lake: Lake): Record<string, unknown>[] {
  const { logsDir } = lake.paths
  return readdirSync(logsDir)
    .flatMap((name) => readFileSync(join(logsDir, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a webhook that is down changes no exit code; the next run tells what was not taken', async () => {
  const port = await freePort()
  const lake = await openWatched('alerts: { webhook: "${HOOK}", on: [partial] }\n')
  const HOOK = `http://127.0.0.1:${port}/${SECRET}`
  const down = await lake.start(['backfill'], { HOOK }).ended
  expect(down.code).toBe(3)
  expect(down.stderr).toMatch(
    /^warning: alert not sent yet: coinlake: run \S+ .* is partial: .*; the next/m,
  )
  expect(down.stderr).not.toContain(SECRET)
  const alertsDir = join(lake.paths.stateDir, 'alerts')
  const waiting = (): string[] => readdirSync(alertsDir).filter((name) => name !== 'told.json')
  expect(waiting()).toHaveLength(1)

  const alerts: Alert[] = []
  const receiver = withBody((body, _, response) => {
    alerts.push(JSON.parse(body) as Alert)
    response.writeHead(204).end()
  })
  await listen(receiver, port)
  const up = await lake.start(['backfill'], { HOOK }).ended
  expect([0, 3, 7], up.stderr).toContain(up.code)
  expect(alerts[0]?.text).toContain('is partial')
  expect(waiting()).toEqual([])

  // Without its address nobody would ever be told: nothing is begun.
  const none = await lake.start(['backfill']).ended
  expect(none.code).toBe(2)
  expect(none.stderr).toContain('error[CONFIG_NO_ALERT_TARGET]')
})

test('a port that is taken costs the metrics, not the run', async () => {
  const port = await freePort()
  await listen(() => undefined, port)
  const lake = await openWatched(`metrics: { prometheus: ${port} }\n`)
  const { code, stderr } = await lake.start(['backfill']).ended
  expect(code).toBe(3)
  expect(stderr).toMatch(
    new RegExp(`^warning: metrics are not served at 127.0.0.1:${port}: .*metrics.prometheus`, 'm'),
  )
  expect(JSON.stringify(logLines(lake))).toMatch(/already in use/)
  const refused = logLines(lake).filter(({ msg }) => msg === 'no page')
  expect(refused).not.toEqual([])
  expect(refused.filter(({ calls }) => calls === 0)).toEqual([])
})
