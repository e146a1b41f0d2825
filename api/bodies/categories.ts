import { z } from 'zod'
import { IMAGE, INSTANT, NUMBER, TEXT, TEXTS, WHOLE } from './fields.ts'

export const CATEGORY_LIST_BODY = z.array(z.looseObject({ category_id: z.string(), name: TEXT }))

export const CATEGORIES_BODY = z.array(
  z.looseObject({
    id: z.string(),
    name: TEXT,
    market_cap: NUMBER.describe('usd'),
    market_cap_change_24h: NUMBER.describe('percent'),
    content: TEXT.optional(),
    top_3_coins_id: TEXTS.optional(),
    top_3_coins: TEXTS.optional().describe('URLs of pictures'),
    volume_24h: NUMBER.describe('usd'),
    updated_at: INSTANT,
  }),
)

export const PLATFORMS_BODY = z.array(
  z.looseObject({
    id: z.string(),
    chain_identifier: WHOLE,
    name: TEXT,
    shortname: TEXT,
    native_coin_id: TEXT.optional(),
    image: IMAGE.nullable().optional(),
  }),
)
