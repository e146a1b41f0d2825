import { z } from 'zod'
import { FLAG, INSTANT, NUMBER, TEXT } from './fields.ts'

/** Values in the three currencies into which everything is converted. */
const CONVERTED = z.looseObject({ btc: NUMBER, eth: NUMBER, usd: NUMBER })

/** One pair at one exchange. */
export const TICKER = z
  .looseObject({
    base: z.string().describe('Symbol or contract address'),
    target: z.string().describe('Symbol or contract address'),
    market: z.looseObject({
      name: TEXT,
      identifier: z.string(),
      has_trading_incentive: FLAG.optional(),
      logo: TEXT.optional(),
    }),
    last: NUMBER.describe('Target units for one base unit'),
    volume: NUMBER.describe('Base units in 24 hours'),
    cost_to_move_up_usd: NUMBER.optional(),
    cost_to_move_down_usd: NUMBER.optional(),
    converted_last: CONVERTED,
    converted_volume: CONVERTED,
    trust_score: TEXT,
    bid_ask_spread_percentage: NUMBER,
    timestamp: INSTANT,
    last_traded_at: INSTANT,
    last_fetch_at: INSTANT,
    is_anomaly: FLAG,
    is_stale: FLAG,
    trade_url: TEXT,
    token_info_url: TEXT,
    coin_id: TEXT.optional(),
    target_coin_id: TEXT.optional().describe('Absent when the target is no coin'),
    coin_mcap_usd: NUMBER.optional(),
  })
  .describe('One pair at one exchange')

export const TICKERS_BODY = z.looseObject({ name: TEXT, tickers: z.array(TICKER) })
