import type { AnswerSource } from '../../service/answer-source.ts'
import type { ObservedSpec } from './generated-market.ts'
import { holdMarket } from './held-market.ts'
import { type MovableClock, movableClock, openWarehouse } from './proof-warehouse.ts'
import { serveInTest } from './serve-source.ts'

/**
 * A market of a spec at its moment, served over HTTP, and an empty warehouse that asks it.
 *
 * @param through a source in front of the market's, which says some of it otherwise
 */
export async function openMarketWarehouse(
  spec: ObservedSpec,
  through: (source: AnswerSource, clock: MovableClock) => AnswerSource = (source) => source,
) {
  const clock = movableClock(spec.nowMs)
  const market = await holdMarket(spec, clock)
  const served = await serveInTest(through(market.source, clock))
  return { clock, market, served, warehouse: openWarehouse(served, clock) }
}
