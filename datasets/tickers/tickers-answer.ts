import type { ParamValues } from '../../api/operations/describe-operation.ts'
import type { Row } from '../dataset.ts'
import { splitBeside } from '../record/envelope.ts'
import { TICKER_FIELDS } from './exchange-ticker-fields.ts'
import { ofObservation } from '../record/newest-rows.ts'
import { writeRecord } from '../record/write-record.ts'

export const LEFT_OUT_OF_EMPTY_LISTING = {
  path: '$.name, $.tickers (of a listing without tickers)',
  reason:
    'An empty listing makes no row; _slices shows that it was asked for. coinlake serve takes the name from the list of coins or exchanges, if that is exported.',
}

/** The keys that a ticker has only with `depth=true`. */
const DEPTH = ['cost_to_move_up_usd', 'cost_to_move_down_usd']

/**
 * The body of a page of tickers; null: neither `listed` nor `owner` is known.
 *
 * @param listed first row of the newest listing
 * @param owner row of the coin or exchange, for a body without tickers
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

/** The tickers of a page. A filter may match rows of an older listing than that of `listed`; those are left out. */
export function tickersOf(
  rows: readonly Row[],
  listed: Row | undefined,
  params: ParamValues,
): Record<string, unknown>[] {
  return ofObservation(rows, listed).map((row) => {
    const ticker = splitBeside(writeRecord(TICKER_FIELDS, row)).own
    if (params['depth'] !== 'true') for (const key of DEPTH) delete ticker[key]
    return params['include_exchange_logo'] === 'true' ? ticker : withoutLogo(ticker)
  })
}

function withoutLogo(ticker: Record<string, unknown>): Record<string, unknown> {
  const market = ticker['market']
  if (typeof market !== 'object' || market === null || !('logo' in market)) return ticker
  const { logo: _logo, ...rest } = market
  return { ...ticker, market: rest }
}
