import { Connection } from '@temporalio/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { RunReport } from '../../activities/activity-types.ts'
import { operations } from '../../api/operations.ts'
import { leaseServer } from '../../engine/lease-server.ts'
import { keyId, queueNames } from '../../engine/queues.ts'
import { describeQueue } from '../../engine/set-queue-cap.ts'
import { createService } from '../../service/app.ts'
import { readFaults } from '../../service/faults/read-faults.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { startService } from '../../service/serve-http.ts'
import { createSimulatedSource } from '../../service/simulated-source.ts'
import { appendArrow } from '../../sinks/arrow-into-duckdb.ts'
import { openLake } from './lake.ts'
import { NOW_MS } from './market-service.ts'

const COINS = 30
const DATASETS = [`market_chart: { coins: "top:${COINS}", granularity: daily, from: 2024-03-28 }`]
/** Long enough to kill a process in it, on a machine that is busy with others. */
const TOLD_TO_WAIT_MS = 15_000
const REFUSED_ONCE = `- { fault: rate_status, entities: [bitcoin], times: 1, wait_ms: ${TOLD_TO_WAIT_MS} }`
const WITHIN = { timeout: 60_000, interval: 50 }

/** A market that tells whoever asks for bitcoin to wait, once. */
async function serveRefusing(): Promise<{ url: string; log: readonly RequestEntry[] }> {
  const source = await createSimulatedSource({
    spec: { ...MARKET_PRESETS.tiny, coins: COINS, seed: 11, nowMs: NOW_MS },
    append: appendArrow,
  })
  const log: RequestEntry[] = []
  const server = await startService(
    createService({
      source,
      operations: Object.values(operations),
      keys: null,
      quota: null,
      faults: readFaults('faults', REFUSED_ONCE, 1),
      log: (entry) => log.push(entry),
    }),
    { port: 0 },
  )
  onTestFinished(async () => {
    await server.close()
    await source.close()
  })
  return { url: server.url, log }
}

test(
  'a worker that is killed while its queue is stopped leaves none stopped: the same command ends the wait',
  { timeout: 240_000 },
  async () => {
    const { url, log } = await serveRefusing()
    const lake = openLake(url, DATASETS)
    onTestFinished(() => lake.remove())
    // The server outlives the process, and with it the cap.
    const lease = await leaseServer({ stateDir: lake.engineDir, env: process.env })
    onTestFinished(() => lease.release())
    const connection = await Connection.connect({ address: lease.address })
    onTestFinished(() => connection.close())
    const { fetch: taskQueue } = queueNames({ keyId: keyId(null, url), warehouseId: '' })
    const cap = async (): Promise<number | null> => {
      const queue = { connection, namespace: lease.namespace, taskQueue }
      return (await describeQueue(queue)).callsPerSecond
    }

    const killed = lake.start(['backfill', '--json'])
    await vi.waitFor(async () => expect(await cap()).toBe(0), WITHIN)
    killed.kill('SIGKILL')
    await killed.ended
    expect(await lake.isRunOpen()).toBe(true)
    expect(await cap()).toBe(0)
    expect(log.filter(({ status }) => status === 429)).toHaveLength(1)

    const ended = await lake.start(['backfill', '--json']).ended
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 })
    const report = JSON.parse(ended.stdout) as RunReport
    expect(report).toMatchObject({ verdict: 'complete', slices: { loaded: COINS } })
    expect(await cap()).not.toBe(0)
  },
)
