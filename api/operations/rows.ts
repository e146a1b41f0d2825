import { z } from 'zod'

/**
 * A list of any length. Only the array is checked here, because visiting thousands of points costs as much as parsing
 * them; datasets/ checks the items one by one.
 */
export const ROWS = z.custom<readonly unknown[]>(
  (value) => Array.isArray(value),
  'expected an array',
)

/** An object whose keys are not known beforehand (ids, addresses, currencies). Its values are not checked here. */
export const ENTRIES = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
)

/**
 * Prices by id. Any id may be a key, also `error` and `status`. A refusal with a good status has a text there, or an
 * object with the keys of errors, instead of prices.
 */
export const QUOTES = ENTRIES.refine((entries) => !statesError(entries), 'expected prices by id')

const ERROR_KEYS = ['error_code', 'error_message', 'status']

function statesError(entries: Readonly<Record<string, unknown>>): boolean {
  const isCoded = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    ERROR_KEYS.some((key) => Object.hasOwn(value, key))
  const { error, status, error_code: code } = entries
  if (typeof error === 'string' || isCoded(error) || isCoded(status)) return true
  return typeof code === 'number' || typeof code === 'string'
}

/** The arrays of a chart, by their keys. */
export const CHART_KEYS = ['prices', 'market_caps', 'total_volumes'] as const

/**
 * A chart: arrays of [ms, value], of which some may be missing. datasets/ checks the points one by one, and a value that
 * stands in place of an array.
 */
export const CHART = ENTRIES.refine(
  (body) => CHART_KEYS.some((key) => Array.isArray(body[key])),
  `expected an object with an array ${CHART_KEYS.join(', ')}`,
)

/** A listing of tickers under the name of its coin or exchange. */
export const TICKERS = z.object({ tickers: ROWS })

/** One coin with all that is known of it. */
export const COIN_DETAIL = z.object({ id: z.string(), symbol: z.string(), name: z.string() })
