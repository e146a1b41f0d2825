import { z } from 'zod'
import { BY_CURRENCY, EPOCH_S, NUMBER, NUMBER_OR_TEXT, TEXT, WHOLE } from './fields.ts'

export const GLOBAL_BODY = z.looseObject({
  data: z.looseObject({
    active_cryptocurrencies: WHOLE,
    upcoming_icos: WHOLE.optional(),
    ongoing_icos: WHOLE.optional(),
    ended_icos: WHOLE.optional(),
    markets: WHOLE,
    total_market_cap: BY_CURRENCY,
    total_volume: BY_CURRENCY,
    market_cap_percentage: BY_CURRENCY.describe('Percent of the market by coin symbol'),
    market_cap_change_percentage_24h_usd: NUMBER,
    volume_change_percentage_24h_usd: NUMBER.optional(),
    updated_at: EPOCH_S,
  }),
})

/** Figures are texts of up to 65 digits. */
export const DEFI_BODY = z.looseObject({
  data: z.looseObject({
    defi_market_cap: NUMBER_OR_TEXT.describe('usd, decimal text'),
    eth_market_cap: NUMBER_OR_TEXT.describe('usd, decimal text'),
    defi_to_eth_ratio: NUMBER_OR_TEXT.describe('percent, decimal text'),
    trading_volume_24h: NUMBER_OR_TEXT.describe('usd, decimal text'),
    defi_dominance: NUMBER_OR_TEXT.describe('percent, decimal text'),
    top_coin_name: TEXT,
    top_coin_defi_dominance: NUMBER.describe('percent'),
  }),
})
