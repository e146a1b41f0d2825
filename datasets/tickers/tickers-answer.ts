import type { ParamValues } from '../../api/operation.ts'
import type { Row } from '../dataset.ts'
import { splitBeside } from '../record/envelope.ts'
import { TICKER_FIELDS } from './exchange-ticker-fields.ts'
import { writeRecord } from '../record/write-record.ts'

/** In `leftOut` of datasets of tickers. */
export const LISTING_OF_NOTHING = {
  path: '$.name, $.tickers (of a listing without tickers)',
  reason:
    'A listing of nothing makes no row; that it was asked for stands in _slices. The service takes the name from the list of coins or exchanges, if it is there.',
}

/** Keys of a ticker that only come with `depth=true`. */
const DEPTH = ['cost_to_move_up_usd', 'cost_to_move_down_usd']

/**
 * The body of a page of tickers; null = the source knows no such owner. `listed` is the first row of the newest listing,
 * `owner` the row of the coin or exchange, which answers where nothing is listed.
 */
export function tickersBody(
  rows: readonly Row[],
  listed: Row | undefined,
  owner: Row | undefined,
  params: ParamValues,
): object | null {
  if (listed === undefined) {
    return owner === undefined ? null : { name: owner['name'], tickers: [] }
  }
  const name = listed['listing_name'] ?? null
  const { beside } = splitBeside(writeRecord(TICKER_FIELDS, listed))
  const tickers = tickersOf(rows, listed, params)
  return { ...(name === null ? {} : { name }), ...beside, tickers }
}

/**
 * The tickers of a page as the parameters ask for them. `listed` is any row of the newest listing:
 * rows of an older one, which alone may match a filter, are no answer.
 */
export function tickersOf(
  rows: readonly Row[],
  listed: Row | undefined,
  params: ParamValues,
): Record<string, unknown>[] {
  return rows
    .filter((row) => row['observed_at'] === listed?.['observed_at'])
    .map((row) => {
      const ticker = tickerOf(row)
      if (params['depth'] !== 'true') for (const key of DEPTH) delete ticker[key]
      return params['include_exchange_logo'] === 'true' ? ticker : withoutLogo(ticker)
    })
}

/** A ticker with all that was sent of it. */
export function tickerOf(row: Row): Record<string, unknown> {
  return splitBeside(writeRecord(TICKER_FIELDS, row)).own
}

function withoutLogo(ticker: Record<string, unknown>): Record<string, unknown> {
  const market = ticker['market']
  if (typeof market !== 'object' || market === null || !('logo' in market)) return ticker
  const { logo: _logo, ...rest } = market
  return { ...ticker, market: rest }
}
