import type { Param } from '../operation.ts'

/** Path parameter `{id}`: a coin or an exchange. Not always a slug (`_`, `1move token`). */
export function pathId(what: string): Param {
  return {
    name: 'id',
    in: 'path',
    type: 'string',
    required: true,
    description: `Id of the ${what}.`,
  }
}

/** One currency in which values are quoted. */
export const VS_CURRENCY: Param = {
  name: 'vs_currency',
  in: 'query',
  type: 'string',
  required: true,
  description: 'Currency code of the values, lower case.',
}

/** Page of a listing, from 1. */
export const PAGE: Param = {
  name: 'page',
  in: 'query',
  type: 'integer',
  required: false,
  default: '1',
  min: 1,
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

/** Without it the service rounds prices by their magnitude. */
export const PRECISION: Param = {
  name: 'precision',
  in: 'query',
  type: 'string',
  required: false,
  allowed: ['full', ...DECIMAL_PLACES],
  description: 'Decimal places of prices, 0 to 18, or `full`.',
}

/** An optional switch, off by default. */
export function flag(name: string, description: string): Param {
  return { name, in: 'query', type: 'boolean', required: false, default: 'false', description }
}

/** An optional list of values joined by commas. */
export function csv(name: string, description: string, allowed?: readonly string[]): Param {
  const param: Param = { name, in: 'query', type: 'csv', required: false, description }
  return allowed === undefined ? param : { ...param, allowed }
}

/** An optional choice; the first value is the default. */
export function choice(name: string, description: string, allowed: readonly string[]): Param {
  const param: Param = { name, in: 'query', type: 'string', required: false, description, allowed }
  const [first] = allowed
  return first === undefined ? param : { ...param, default: first }
}
