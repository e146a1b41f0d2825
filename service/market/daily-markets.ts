import { DAY_MS } from '../../api/granularity.ts'
import { createMarket } from './market.ts'
import type { Market } from './market.ts'
import type { MarketSpec } from './market-spec.ts'

/**
 * The market at each observation, one per day, oldest first. The last is the market of the spec itself.
 *
 * @throws ConfigError MARKET_SPEC
 */
export function dailyMarkets(spec: MarketSpec): Market[] {
  const observations = Math.max(spec.observations ?? 1, 1)
  return Array.from({ length: observations }, (_, place) => {
    const days = observations - 1 - place
    return createMarket({ ...spec, nowMs: spec.nowMs - days * DAY_MS })
  })
}

/** The time of the observation in whole seconds, as in a Date header. */
export function observedAtMs({ spec }: Market): number {
  return Math.floor(spec.nowMs / 1_000) * 1_000
}
