import { z } from 'zod'
import { BY_CURRENCY, IMAGE, NUMBER, NUMBER_OR_TEXT, TEXT, WHOLE } from './fields.ts'

const PICTURES = { thumb: TEXT.optional(), large: TEXT.optional() }

export const SEARCH_BODY = z.looseObject({
  coins: z.array(
    z.looseObject({
      id: z.string(),
      name: TEXT,
      api_symbol: TEXT.optional(),
      symbol: TEXT,
      market_cap_rank: WHOLE,
      ...PICTURES,
    }),
  ),
  exchanges: z.array(
    z.looseObject({ id: z.string(), name: TEXT, market_type: TEXT.optional(), ...PICTURES }),
  ),
  categories: z.array(z.looseObject({ id: z.union([z.string(), z.int()]), name: TEXT })),
  icos: z.array(z.unknown()).optional(),
  nfts: z.array(z.looseObject({ id: z.string(), name: TEXT, symbol: TEXT })).optional(),
})

const COIN_FIGURES = z.looseObject({
  price: NUMBER_OR_TEXT.optional().describe('usd'),
  price_btc: NUMBER_OR_TEXT.optional(),
  price_change_percentage_24h: BY_CURRENCY.optional(),
  market_cap: TEXT.optional().describe('usd, as it is shown to people'),
  market_cap_btc: NUMBER_OR_TEXT.optional(),
  total_volume: TEXT.optional().describe('usd, as it is shown to people'),
  total_volume_btc: NUMBER_OR_TEXT.optional(),
  sparkline: TEXT.optional(),
})

const COIN = z.looseObject({
  id: z.string(),
  name: TEXT,
  symbol: TEXT,
  coin_id: WHOLE.optional(),
  market_cap_rank: WHOLE,
  ...IMAGE.shape,
  slug: TEXT.optional(),
  price_btc: NUMBER,
  score: WHOLE.describe('Rank from 0'),
  data: COIN_FIGURES.nullable().optional(),
})

/** Only coins are the interface's; lists of other things come from services that have them. */
export const TRENDING_BODY = z.looseObject({
  coins: z.array(z.looseObject({ item: COIN })),
  nfts: z.array(z.looseObject({ id: z.string(), name: TEXT })).optional(),
  categories: z.array(z.looseObject({ name: TEXT })).optional(),
})
