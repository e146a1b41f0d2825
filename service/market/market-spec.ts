import { ConfigError } from '../../config/config-error.ts'

/** The contents of a simulated market. Equal specs make equal bytes. */
export interface MarketSpec {
  seed: number
  coins: number
  /** Days of daily points, up to today's midnight. */
  dailyDays: number
  /** Days of hourly points, back from now. */
  hourlyDays: number
  /** Days of coins/{id}/history written into a warehouse, up to yesterday. Default 0. A served market answers all `dailyDays`. */
  historyDays?: number
  /** 5-minute points of the last day. Default true. */
  fiveMinute?: boolean
  exchanges: number
  tickersPerExchange: number
  /** Number of currencies in exchange_rates, at most 62. */
  rateCurrencies: number
  /** Currencies of markets, charts and candles. */
  vsCurrencies: readonly string[]
  /** The market's own now, epoch ms. */
  nowMs: number
  /**
   * Whether series end with a point at "now" and an open candle, as real ones do. Default true. Exports replace both, so
   * tests of equality turn them off.
   */
  moving?: boolean
  /** The day's point appears this long after midnight. Default 0. */
  dailyLateMs?: number
}

export type MarketPreset = Omit<MarketSpec, 'seed' | 'nowMs'>

export type PresetName = 'tiny' | 'demo' | 'years' | 'roundtrip' | 'full'

export const MARKET_PRESETS: Readonly<Record<PresetName, MarketPreset>> = {
  tiny: {
    coins: 5,
    historyDays: 3,
    dailyDays: 30,
    hourlyDays: 10,
    exchanges: 3,
    tickersPerExchange: 8,
    rateCurrencies: 20,
    vsCurrencies: ['usd'],
  },
  demo: {
    coins: 30,
    dailyDays: 400,
    hourlyDays: 90,
    exchanges: 12,
    tickersPerExchange: 40,
    rateCurrencies: 60,
    vsCurrencies: ['usd', 'eur'],
  },
  // The default of `coinlake serve --simulate`: more than three years of hourly history.
  years: {
    coins: 20,
    dailyDays: 2550,
    hourlyDays: 1200,
    exchanges: 12,
    tickersPerExchange: 40,
    rateCurrencies: 60,
    vsCurrencies: ['usd', 'eur'],
  },
  // Tickers need several pages. No point moves, so that an export equals the market.
  roundtrip: {
    coins: 200,
    historyDays: 5,
    dailyDays: 400,
    hourlyDays: 90,
    exchanges: 20,
    tickersPerExchange: 130,
    rateCurrencies: 60,
    vsCurrencies: ['usd'],
    moving: false,
  },
  // As large as the real listings: 82 million chart points. A served market makes those of a coin on request.
  full: {
    coins: 18_000,
    dailyDays: 3_650,
    hourlyDays: 90,
    exchanges: 1_000,
    tickersPerExchange: 40,
    rateCurrencies: 62,
    vsCurrencies: ['usd'],
  },
}

/** Before this time too few coins were listed. */
const EARLIEST_NOW_MS = Date.UTC(2019, 0, 1)

/** @throws ConfigError MARKET_SPEC for a time before 2019 */
export function checkMarketTime(nowMs: number): void {
  if (nowMs >= EARLIEST_NOW_MS) return
  const now = new Date(nowMs).toISOString()
  throw new ConfigError(`simulated market: its present lies before 2019: ${now}`, {
    code: 'MARKET_SPEC',
    hint: 'Give a time from 2019-01-01 on with --clock, or set COINLAKE_NOW to one.',
  })
}
