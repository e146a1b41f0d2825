import { z } from 'zod'
import { FLAG, NAMED, NUMBER, TEXT, WHOLE } from './fields.ts'
import { TICKER } from './tickers.ts'

export const NAMED_LIST_BODY = z.array(NAMED)

const COMMON = {
  year_established: WHOLE,
  country: TEXT,
  description: TEXT.optional(),
  url: TEXT,
  image: TEXT,
}

export const EXCHANGES_BODY = z.array(
  z.looseObject({
    id: z.string(),
    name: TEXT,
    ...COMMON,
    has_trading_incentive: FLAG.optional(),
    trust_score: WHOLE,
    trust_score_rank: WHOLE,
    trade_volume_24h_btc: NUMBER,
    trade_volume_24h_btc_normalized: NUMBER.optional(),
  }),
)

const LINKS = [
  'facebook_url',
  'reddit_url',
  'telegram_url',
  'slack_url',
  'other_url_1',
  'other_url_2',
  'twitter_handle',
  'public_notice',
  'alert_notice',
] as const

/** One exchange. Its id is not in the body. */
export const EXCHANGE_BODY = z.looseObject({
  name: TEXT,
  ...COMMON,
  ...Object.fromEntries(LINKS.map((name) => [name, TEXT.optional()])),
  has_trading_incentive: FLAG.optional(),
  centralized: FLAG.optional(),
  trust_score: WHOLE,
  trust_score_rank: WHOLE,
  coins: WHOLE.optional(),
  pairs: WHOLE.optional(),
  trade_volume_24h_btc: NUMBER,
  trade_volume_24h_btc_normalized: NUMBER.optional(),
  tickers: z.array(TICKER),
  status_updates: z.array(z.unknown()).optional(),
})

/** Units of each currency for one BTC. */
export const RATES_BODY = z.looseObject({
  rates: z.record(
    z.string(),
    z.looseObject({
      name: TEXT,
      unit: TEXT,
      value: NUMBER.describe('Units for 1 BTC'),
      type: z.string().describe('crypto, fiat or commodity'),
    }),
  ),
})
