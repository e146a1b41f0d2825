import { z } from 'zod'
import { isRecord } from '../../config/values/is-record.ts'

/** A list of any length. Its items are not checked here: datasets/ does, and a second pass costs as much as parsing. */
export const ROWS = z.custom(Array.isArray, 'expected an array')

/** An object with unknown keys: ids, addresses, currencies. Its values are not checked here. */
export const ENTRIES = z.custom<Readonly<Record<string, unknown>>>(isRecord, 'expected an object')

/**
 * Prices by id. A coin may have the id `error` or `status`, so these keys alone are no refusal. A refusal has a text in
 * `error`, one of ERROR_KEYS inside `error` or `status`, or an `error_code`.
 */
export const QUOTES = ENTRIES.refine((entries) => !statesError(entries), 'expected prices by id')

const ERROR_KEYS = ['error_code', 'error_message', 'status']

function statesError(entries: Readonly<Record<string, unknown>>): boolean {
  const isCoded = (value: unknown): boolean =>
    isRecord(value) && ERROR_KEYS.some((key) => Object.hasOwn(value, key))
  const { error, status, error_code: code } = entries
  if (typeof error === 'string' || isCoded(error) || isCoded(status)) return true
  return typeof code === 'number' || typeof code === 'string'
}

export const CHART_KEYS = ['prices', 'market_caps', 'total_volumes'] as const

/** A chart: arrays of [ms, value], some of which may be missing. datasets/ checks the points. */
export const CHART = ENTRIES.refine(
  (body) => CHART_KEYS.some((key) => Array.isArray(body[key])),
  `expected an object with an array ${CHART_KEYS.join(', ')}`,
)

/** Tickers, beside the name of their coin or exchange. */
export const TICKERS = z.object({ tickers: ROWS })

/** A text that a source may leave empty, but whose key each answer has. */
const TEXT_OR_NULL = z.string().nullable()

export const COIN_DETAIL = z.object({ id: z.string(), symbol: TEXT_OR_NULL, name: TEXT_OR_NULL })

/** An exchange, whose body has no id. */
export const EXCHANGE_DETAIL = z.object({ name: TEXT_OR_NULL })
