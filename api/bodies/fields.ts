import { z } from 'zod'

/** Nearly every field of such a service is null for some coin: these stand for what may be. */
export const NUMBER = z.number().nullable()
export const WHOLE = z.int().nullable()
export const TEXT = z.string().nullable()
export const FLAG = z.boolean().nullable()
/** An instant, ISO 8601. */
export const INSTANT = z.string().nullable().describe('Instant, ISO 8601, UTC')
/** Epoch seconds, UTC. */
export const EPOCH_S = z.int().nullable().describe('Epoch seconds, UTC')
/** Number or text: the source has sent both over the years. */
export const NUMBER_OR_TEXT = z.union([z.number(), z.string()]).nullable()
/** Lists of texts, padded with empty ones and nulls. */
export const TEXTS = z.array(TEXT)

/** Values by currency code; which codes there are differs by field and by time. */
export const BY_CURRENCY = z
  .record(z.string(), NUMBER)
  .describe('Values by currency code, lower case')
export const INSTANT_BY_CURRENCY = z
  .record(z.string(), INSTANT)
  .describe('Instants by currency code, lower case')
/** Texts by language code. */
export const BY_LANGUAGE = z.record(z.string(), TEXT).describe('Texts by language code')

/** Identifier and name, and nothing else. */
export const NAMED = z.looseObject({ id: z.string(), name: TEXT })

/** URLs of one picture in three sizes. */
export const IMAGE = z.looseObject({
  thumb: TEXT.optional(),
  small: TEXT.optional(),
  large: TEXT.optional(),
})

/** Epoch milliseconds of a point in a series. */
export const POINT_MS = z.number().describe('Epoch milliseconds, UTC')
