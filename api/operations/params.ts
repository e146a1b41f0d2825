import type { Param } from '../operation.ts'

/** Path parameter `{id}`: a coin, an exchange or a platform. Not always a slug (`_`, `1move token`). */
export function pathId(what: string, example: string): Param {
  return {
    name: 'id',
    in: 'path',
    type: 'string',
    required: true,
    example,
    description: `Id of the ${what}.`,
  }
}

/** One currency in which values are quoted. */
export const VS_CURRENCY: Param = {
  name: 'vs_currency',
  in: 'query',
  type: 'string',
  required: true,
  isCurrency: true,
  example: 'usd',
  description: 'Currency code of the values, lower case.',
}

/** Several currencies in which values are quoted. */
export const VS_CURRENCIES: Param = {
  name: 'vs_currencies',
  in: 'query',
  type: 'csv',
  required: true,
  isCurrency: true,
  example: 'usd,eur',
  description: 'Currency codes of the values, lower case.',
}

/** No listing has this many pages; a higher number is a typing error. */
const MAX_PAGE = 1_000_000

/** Page of a listing, from 1. */
export const PAGE: Param = {
  name: 'page',
  in: 'query',
  type: 'integer',
  required: false,
  default: '1',
  min: 1,
  max: MAX_PAGE,
  description: 'Page of the listing, from 1.',
}

/** Items of a page where the caller may choose. */
export const PER_PAGE: Param = {
  name: 'per_page',
  in: 'query',
  type: 'integer',
  required: false,
  default: '100',
  min: 1,
  max: 250,
  description: 'Items of a page.',
}

const DECIMAL_PLACES = Array.from({ length: 19 }, (_, places) => String(places))

/** Without `precision` the service rounds prices by their magnitude. */
export const PRECISION: Param = {
  name: 'precision',
  in: 'query',
  type: 'string',
  required: false,
  allowed: ['full', ...DECIMAL_PLACES],
  description: 'Decimal places of prices, 0 to 18, or `full`.',
}

/** The form of the pairs of decentralized exchanges. */
export const DEX_PAIR_FORMAT: Param = choice(
  'dex_pair_format',
  'How pairs of decentralized exchanges are written.',
  ['contract_address', 'symbol'],
)

/** A century; `max` asks for all days. */
const MAX_DAYS = 36_500

/** Days back from now, for charts. */
export const DAYS: Param = {
  name: 'days',
  in: 'query',
  type: 'days',
  required: true,
  max: MAX_DAYS,
  example: '30',
  description: 'Days back from now, or `max`.',
}

/** Without `interval` the step follows from the window (api/granularity.ts). */
export const INTERVAL: Param = {
  name: 'interval',
  in: 'query',
  type: 'string',
  required: false,
  allowed: ['daily', 'hourly', '5m'],
  description: 'Step of the points; without it the step follows from the window.',
}

/** End of the year 9999; a higher number is milliseconds. */
const MAX_EPOCH_S = 253_402_300_799

/** First second of a range. */
export const FROM: Param = {
  name: 'from',
  in: 'query',
  type: 'epoch_s',
  required: true,
  min: 0,
  max: MAX_EPOCH_S,
  example: '1704067200',
  description: 'First second asked for, epoch seconds UTC.',
}

/** Last second of a range. */
export const TO: Param = {
  name: 'to',
  in: 'query',
  type: 'epoch_s',
  required: true,
  min: 0,
  max: MAX_EPOCH_S,
  example: '1706745600',
  description: 'Last second asked for, epoch seconds UTC, inclusive.',
}

/** An optional switch, off by default. */
export function flag(name: string, description: string): Param {
  return { name, in: 'query', type: 'boolean', required: false, default: 'false', description }
}

/** An optional switch that is on by default. */
export function flagOn(name: string, description: string): Param {
  return { ...flag(name, description), default: 'true' }
}

/** An optional list of values joined by commas. */
export function csv(name: string, description: string, allowed?: readonly string[]): Param {
  const param: Param = { name, in: 'query', type: 'csv', required: false, description }
  return allowed === undefined ? param : { ...param, allowed }
}

/** An optional choice; the first value is the default. */
export function choice(name: string, description: string, allowed: readonly string[]): Param {
  const param = optionalChoice(name, description, allowed)
  const [first] = allowed
  return first === undefined ? param : { ...param, default: first }
}

/** An optional choice without a default. */
export function optionalChoice(
  name: string,
  description: string,
  allowed: readonly string[],
): Param {
  return { name, in: 'query', type: 'string', required: false, description, allowed }
}
