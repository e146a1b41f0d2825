import { Connection } from '@temporalio/client'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import type { RunReport } from '../../activities/activity-types.ts'
import { keyId, queueNames } from '../../engine/queues.ts'
import { describeQueue } from '../../engine/set-queue-cap.ts'
import { readFaults } from '../../service/faults/read-faults.ts'
import { openLake } from '../parts/lake.ts'
import { serveMarket } from '../parts/day-market.ts'

const COINS = 30
const DATASETS = [`market_chart: { coins: "top:${COINS}", granularity: daily, from: 2024-03-28 }`]
/** Long enough to kill a process in it, on a machine that is busy with others. */
const TOLD_TO_WAIT_MS = 6_000
const REFUSED_ONCE = `- { fault: rate_status, entities: [bitcoin], times: 1, wait_ms: ${TOLD_TO_WAIT_MS} }`
const WITHIN = { timeout: 60_000, interval: 50 }

test(
  'a worker that is killed while its queue is stopped leaves none stopped: the same command ends the wait',
  { timeout: 240_000 },
  async () => {
    const faults = readFaults('faults', REFUSED_ONCE, 1)
    const { url, log, close } = await serveMarket({ coins: COINS, faults })
    onTestFinished(close)
    const lake = openLake(url, DATASETS)
    onTestFinished(() => lake.remove())
    const { address, namespace } = inject('temporal')
    const connection = await Connection.connect({ address })
    onTestFinished(() => connection.close())
    const { fetch: taskQueue } = queueNames({ keyId: keyId(null, url), warehouseId: '' })
    const cap = async (): Promise<number | null> => {
      const queue = { connection, namespace, taskQueue }
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
    expect(report).toMatchObject({ verdict: 'complete', slices: { provisional: COINS } })
    expect(await cap()).not.toBe(0)
  },
)
