import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../../api/operations.ts'
import { createService } from '../../service/app.ts'
import type { FaultOrder } from '../../service/faults/fault-order.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import type { MarketSpec } from '../../service/market/market-spec.ts'
import { createMarket } from '../../service/market/market.ts'
import type { QuotaOptions } from '../../service/quota.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { startService } from '../../service/serve-http.ts'
import { createSimulatedSource } from '../../service/simulated-source.ts'
import { appendArrow } from '../../sinks/arrow-into-duckdb.ts'

/** The market's present: everything stands still there, so that two runs must give the same rows. */
export const NOW_MS = Date.UTC(2024, 3, 5)
export const NOW = new Date(NOW_MS).toISOString()

export interface MarketSize {
  coins: number
  latencyMs: number
  /** Answers, counted from 0, that take so much longer: a run is open while they are waited for. */
  slow?: { from: number; to: number; byMs: number }
  /** Waited for before an answer, counted from 0: for tests that do something while requests are open. */
  hold?: (answer: number) => Promise<void>
  /** The limit, told in headers. Default: none. */
  quota?: QuotaOptions
  /** Faults on order. Default: none. */
  faults?: readonly FaultOrder[]
}

/** A simulated market behind a real socket, and every request it was asked. */
export interface MarketService {
  url: string
  requests(): readonly RequestEntry[]
  close(): Promise<void>
}

/** Serves a market of days, not years: many small slices instead of few large ones. */
export async function serveMarket(size: MarketSize): Promise<MarketService> {
  const source = await createSimulatedSource({ spec: specOf(size), append: appendArrow })
  return serveSource(source, size)
}

/** Ids of all coins of that market. */
export function marketCoins(size: Pick<MarketSize, 'coins'>): string[] {
  return createMarket(specOf(size)).coins.map(({ id }) => id)
}

function specOf({ coins }: Pick<MarketSize, 'coins'>): MarketSpec {
  return { ...MARKET_PRESETS.tiny, coins, seed: 11, nowMs: NOW_MS }
}

async function serveSource(
  source: Awaited<ReturnType<typeof createSimulatedSource>>,
  { latencyMs, slow, hold, quota, faults = [] }: MarketSize,
): Promise<MarketService> {
  const requests: RequestEntry[] = []
  let answers = 0
  const service = createService({
    source: {
      ...source,
      async answer(operation, params) {
        const place = answers++
        if (slow !== undefined && place >= slow.from && place < slow.to) await sleep(slow.byMs)
        await hold?.(place)
        return source.answer(operation, params)
      },
    },
    operations: Object.values(operations),
    keys: null,
    quota: quota ?? null,
    latencyMs,
    faults,
    log: (entry) => requests.push(entry),
  })
  const server = await startService(service, { port: 0 })
  return {
    url: server.url,
    requests: () => requests,
    close: async () => {
      await server.close()
      await source.close()
    },
  }
}

/** How often each URL was asked more than once, in all. */
export function repeatedRequests(requests: readonly RequestEntry[]): number {
  return requests.length - new Set(requests.map(({ path, query }) => `${path}?${query}`)).size
}
