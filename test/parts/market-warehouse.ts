import type { AnswerSource } from '../../service/answer-source.ts'
import { MARKET_PRESETS } from '../../service/market/market-spec.ts'
import type { ObservedSpec } from './generated-market.ts'
import { holdMarket } from './held-market.ts'
import { type MovableClock, movableClock, openWarehouse } from './proof-warehouse.ts'
import { serveInTest } from './serve-source.ts'

export const APRIL_MS = Date.UTC(2024, 3, 10, 5, 30)
/** The tiny market of most tests. */
export const APRIL_MARKET: ObservedSpec = { ...MARKET_PRESETS.tiny, seed: 5, nowMs: APRIL_MS }

/**
 * A tiny market at its moment, served over HTTP, and an empty warehouse that asks it.
 *
 * @param changes figures of the market that a test wants otherwise
 * @param through a source in front of the market's, which says some of it otherwise
 */
export async function openMarketWarehouse(
  changes: Partial<ObservedSpec> = {},
  through: (source: AnswerSource, clock: MovableClock) => AnswerSource = (source) => source,
) {
  const spec = { ...APRIL_MARKET, ...changes }
  const clock = movableClock(spec.nowMs)
  const market = await holdMarket(spec, clock)
  const served = await serveInTest(through(market.source, clock))
  return { clock, market, served, warehouse: openWarehouse(served, clock) }
}
