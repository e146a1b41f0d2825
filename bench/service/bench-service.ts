import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The requests since the last look: their number, and the time of the first, epoch ms. */
export interface ServiceCalls {
  calls: number
  firstAtMs: number
}

/** The bodies that a service has ready before the first request. */
export interface BenchBodies {
  /** Number of different answers of market_chart/range. Further coins share them. */
  charts: number
  /** Pages of coins/markets. */
  marketPages: number
}

export type BenchService = Awaited<ReturnType<typeof startBenchService>>

/**
 * A service in a process of its own. The service answers market_chart/range of every `coin-<n>`. Below `/pages-<n>` it answers
 * coins/markets with n pages.
 */
export async function startBenchService(bodies: BenchBodies) {
  const script = fileURLToPath(new URL('./service-process.ts', import.meta.url))
  const child = fork(script, [JSON.stringify(bodies)])
  const answer = async <T>(): Promise<T> => {
    const [message] = (await once(child, 'message')) as [T]
    return message
  }
  const port = await answer<number>()
  return {
    /** Without the `/v2`. */
    url: `http://127.0.0.1:${port}`,
    /** The requests since the last call of this function. */
    takeTimes: async (): Promise<ServiceCalls> => {
      const times = answer<ServiceCalls>()
      child.send('times')
      return await times
    },
    stop: async (): Promise<void> => {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    },
  }
}
