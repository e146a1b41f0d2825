import { z } from 'zod'

/**
 * A list of any length whose items are not looked at here: datasets/ checks them one by one. A bare
 * test for an array, because visiting thousands of points costs as much as parsing them.
 */
export const ROWS = z.custom<readonly unknown[]>(
  (value) => Array.isArray(value),
  'expected an array',
)

/** An object whose keys are not known beforehand (ids, addresses, currencies); values are not looked at. */
export const ENTRIES = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
)

/** A chart: three arrays of [ms, value]; points are looked at one by one in datasets/. */
export const CHART = z.looseObject({
  prices: ROWS,
  market_caps: ROWS,
  total_volumes: ROWS,
})

/** A listing of tickers under the name of its coin or exchange. */
export const TICKERS = z.looseObject({ tickers: ROWS })

/** One coin with all that is known of it. */
export const COIN_DETAIL = z.looseObject({ id: z.string(), symbol: z.string(), name: z.string() })
