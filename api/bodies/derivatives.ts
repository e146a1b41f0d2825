import { z } from 'zod'
import { EPOCH_S, NUMBER, NUMBER_OR_TEXT, TEXT, WHOLE } from './fields.ts'

export const DERIVATIVES_BODY = z.array(
  z.looseObject({
    market: TEXT,
    symbol: TEXT,
    index_id: TEXT,
    price: NUMBER_OR_TEXT.describe('Decimal number as text'),
    price_percentage_change_24h: NUMBER,
    contract_type: TEXT.describe('perpetual or futures'),
    index: NUMBER,
    basis: NUMBER,
    spread: NUMBER,
    funding_rate: NUMBER,
    open_interest: NUMBER.describe('usd'),
    volume_24h: NUMBER.describe('usd'),
    last_traded_at: EPOCH_S,
    expired_at: EPOCH_S,
  }),
)

const STATS = {
  open_interest_btc: NUMBER,
  trade_volume_24h_btc: NUMBER_OR_TEXT.describe('Decimal number as text'),
  number_of_perpetual_pairs: WHOLE,
  number_of_futures_pairs: WHOLE,
  image: TEXT,
  year_established: WHOLE,
  country: TEXT,
  description: TEXT.optional(),
  url: TEXT,
}

export const DERIVATIVE_EXCHANGES_BODY = z.array(
  z.looseObject({ id: z.string(), name: TEXT, ...STATS }),
)

const CONVERTED = z.looseObject({
  btc: NUMBER_OR_TEXT,
  eth: NUMBER_OR_TEXT,
  usd: NUMBER_OR_TEXT,
})

const CONTRACT = z.looseObject({
  symbol: TEXT,
  base: TEXT,
  target: TEXT,
  coin_id: TEXT.optional(),
  target_coin_id: TEXT.optional(),
  trade_url: TEXT,
  contract_type: TEXT,
  last: NUMBER,
  h24_percentage_change: NUMBER,
  index: NUMBER,
  index_basis_percentage: NUMBER,
  bid_ask_spread: NUMBER.describe('A fraction, not percent'),
  funding_rate: NUMBER,
  open_interest_usd: NUMBER,
  h24_volume: NUMBER.describe('Base units'),
  converted_volume: CONVERTED,
  converted_last: CONVERTED,
  last_traded: EPOCH_S,
  expired_at: EPOCH_S,
})

/** One derivative exchange. Its id is not in the body. */
export const DERIVATIVE_EXCHANGE_BODY = z.looseObject({
  name: TEXT,
  ...STATS,
  tickers: z.array(CONTRACT).optional().describe('Only with include_tickers'),
})
