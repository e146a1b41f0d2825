import type { Clock } from '../../config/clock.ts'
import type { AnswerSource } from '../answer-source.ts'
import type { MarketSpec } from '../market/market-spec.ts'
import { createSimulatedSource } from './simulated-source.ts'

/** Markets are made for whole minutes, so that services of up to 2,000 coins answer alike in one minute. */
const TICK_MS = 60_000
/** Time for which a market is kept, for each of its coins. Making the listings of 18,000 coins takes half a minute. */
const KEPT_MS_PER_COIN = 30
/** A daily close appears at 00:35 UTC, as at the source. */
const DAILY_LATE_MS = 35 * 60_000

/**
 * The simulated market with a running clock. A later market has the same points and more. When the market is too old (a
 * minute, or more with over 2,000 coins), a request begins a new one.
 *
 * @throws ConfigError MARKET_SPEC
 */
export function createRunningSource(spec: Omit<MarketSpec, 'nowMs'>, clock: Clock): AnswerSource {
  const keptMs = Math.max(TICK_MS, spec.coins * KEPT_MS_PER_COIN)
  const make = (): { source: AnswerSource; atMs: number } => {
    const atMs = Math.floor(clock.nowMs() / TICK_MS) * TICK_MS
    const source = createSimulatedSource({ ...spec, nowMs: atMs, dailyLateMs: DAILY_LATE_MS })
    return { source, atMs }
  }
  let current = make()
  const present = (): AnswerSource => {
    if (clock.nowMs() - current.atMs >= keptMs) current = make()
    return current.source
  }
  return {
    clock,
    answer: (operation, params) => present().answer(operation, params),
    currencies: async () => (await present().currencies?.()) ?? new Set<string>(),
    close: async () => {},
  }
}
