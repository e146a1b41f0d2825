import { z } from 'zod'
import { INSTANT, NUMBER, TEXT, WHOLE } from './fields.ts'

/** Contract addresses by platform id; null or empty where there is none. */
export const PLATFORMS = z.record(z.string(), TEXT)

export const COINS_BODY = z.array(
  z.looseObject({
    id: z.string(),
    symbol: TEXT,
    name: TEXT,
    platforms: PLATFORMS.optional().describe('Only with include_platform'),
  }),
)

/** What was earned since the sale of a coin. */
export const ROI = z.looseObject({ times: NUMBER, currency: TEXT, percentage: NUMBER }).nullable()

const FRAMES = ['1h', '24h', '7d', '14d', '30d', '200d', '1y'] as const

/** Changes over the time frames asked for, in percent. */
const CHANGES = Object.fromEntries(
  FRAMES.map((frame) => [`price_change_percentage_${frame}_in_currency`, NUMBER.optional()]),
)

export const MARKETS_BODY = z.array(
  z.looseObject({
    id: z.string(),
    symbol: TEXT,
    name: TEXT,
    image: TEXT,
    current_price: NUMBER,
    market_cap: NUMBER,
    market_cap_rank: WHOLE,
    market_cap_rank_with_rehypothecated: WHOLE.optional(),
    fully_diluted_valuation: NUMBER,
    total_volume: NUMBER.describe('Volume of the last 24 hours'),
    high_24h: NUMBER,
    low_24h: NUMBER,
    price_change_24h: NUMBER,
    price_change_percentage_24h: NUMBER,
    market_cap_change_24h: NUMBER,
    market_cap_change_percentage_24h: NUMBER,
    circulating_supply: NUMBER,
    total_supply: NUMBER,
    max_supply: NUMBER,
    ath: NUMBER,
    ath_change_percentage: NUMBER,
    ath_date: INSTANT,
    atl: NUMBER,
    atl_change_percentage: NUMBER,
    atl_date: INSTANT,
    roi: ROI,
    last_updated: INSTANT,
    sparkline_in_7d: z
      .looseObject({ price: z.array(NUMBER) })
      .nullable()
      .optional(),
    ...CHANGES,
  }),
)

/** Prices by coin id or address, and within by currency and by what stands beside the price. */
export const QUOTES_BODY = z
  .record(z.string(), z.record(z.string(), NUMBER))
  .describe(
    'By coin: the price by currency, and `<currency>_market_cap`, `_24h_vol`, `_24h_change`, `last_updated_at`',
  )

export const CURRENCIES_BODY = z.array(z.string())
