import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { runningServer } from '../../engine/server/lease-server.ts'
import { startCli } from '../parts/cli-process.ts'
import { reportOf } from './report-of.ts'
import { openMarketLake } from '../parts/market-lake.ts'

test('a server kept by `coinlake server` is a cluster for worker and backfill until Ctrl-C', async () => {
  const lines = ['coin_markets: { every: 1d }']
  const { lake } = await openMarketLake({ coins: 5, latencyMs: 0 }, lines, { engineDir: null })
  const server = startCli(['server', '--json'], {
    cwd: tmpdir(),
    env: { COINLAKE_ENGINE_DIR: lake.engineDir, COINLAKE_ENGINE_ISOLATED: '1' },
  })
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await server.ended
  })
  await server.says('Ctrl-C releases it')
  const { address } = runningServer(lake.engineDir) ?? {}
  const env = { COINLAKE_ENGINE_ISOLATED: '0', TEMPORAL_ADDRESS: String(address) }

  const worker = lake.start(['worker'], env)
  await worker.says(`Temporal at ${address}`)
  const backfill = await lake.start(['backfill', '--json'], env).ended
  expect(reportOf(backfill)).toMatchObject({ verdict: 'complete', rows: 5 })
  expect(backfill.stderr).toContain(`process ${worker.pid} works on this warehouse`)
  worker.kill('SIGINT')
  expect(await worker.ended).toMatchObject({ code: 0, signal: null })

  expect(server.isRunning()).toBe(true)
  server.kill('SIGINT')
  const ended = await server.ended
  expect(ended).toMatchObject({ code: 0, signal: null })
  expect(JSON.parse(ended.stdout)).toEqual({ address, namespace: 'default' })
  expect(await lake.traces()).toEqual([])
})
