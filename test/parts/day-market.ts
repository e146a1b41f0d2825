import { setTimeout as sleep } from 'node:timers/promises'
import { MARKET_PRESETS, type MarketSpec } from '../../service/market/market-spec.ts'
import { createMarket } from '../../service/market/market.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { createSimulatedSource } from '../../service/simulated/simulated-source.ts'
import { type Otherwise, type Served, serveSource } from './serve-source.ts'

/** The market's present: everything stands still there, so that two runs must give the same rows. */
export const NOW_MS = Date.UTC(2024, 3, 5)
export const NOW = new Date(NOW_MS).toISOString()

export interface DayMarket extends Otherwise {
  coins: number
  /** Answers, counted from 0, that take so much longer: a run is open while they are waited for. */
  slow?: { from: number; to: number; byMs: number }
  /** Waited for before an answer, counted from 0: for tests that do something while requests are open. */
  hold?: (answer: number) => Promise<void>
}

/** Serves a market of days, not years: many small slices instead of few large ones. */
export async function serveMarket({ coins, slow, hold, ...otherwise }: DayMarket): Promise<Served> {
  const source = createSimulatedSource(specOf(coins))
  let answers = 0
  const answer: typeof source.answer = async (operation, params) => {
    const place = answers++
    if (slow !== undefined && place >= slow.from && place < slow.to) await sleep(slow.byMs)
    await hold?.(place)
    return source.answer(operation, params)
  }
  const served = await serveSource({ ...source, answer }, otherwise)
  const close = async (): Promise<void> => {
    await served.close()
    await source.close()
  }
  return { ...served, close }
}

/** Ids of all coins of that market. */
export function marketCoins({ coins }: Pick<DayMarket, 'coins'>): string[] {
  return createMarket(specOf(coins)).coins.map(({ id }) => id)
}

function specOf(coins: number): MarketSpec {
  return { ...MARKET_PRESETS.tiny, coins, seed: 11, nowMs: NOW_MS }
}

/** How often each URL was asked more than once, in all. */
export function repeatedRequests(requests: readonly RequestEntry[]): number {
  return requests.length - new Set(requests.map(({ path, query }) => `${path}?${query}`)).size
}
