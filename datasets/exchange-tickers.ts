import { snapshotBy } from './table/row-keys.ts'
import {
  ABSENT,
  EXCHANGE_ID,
  EXTRA,
  OBSERVED_AT,
  OBSERVED_DATE,
  ORDINAL,
} from './table/common-columns.ts'
import type { Answer, Column, Dataset, RowSelection, TableSpec } from './dataset.ts'
import { TICKER_EXTRAS, TICKER_FIELDS } from './tickers/exchange-ticker-fields.ts'
import { listingPage, listingTable, observedIn, ordinals } from './record/listing.ts'
import { csvOf, pageWindow } from './request/page-window.ts'
import { TICKER_PAGE, readTickerListing } from './tickers/ticker-listing.ts'
import { EMPTY_LISTING, tickersBody } from './tickers/tickers-answer.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'

const LISTING_NAME: Column = {
  name: 'listing_name',
  type: 'string',
  unit: null,
  description: 'Name of the listing, which is the name of the exchange.',
}

/** Columns of the key that come from the ticker itself. */
const PAIR = ['base', 'target', 'coin_id']

/** Traded pairs of exchanges at one moment. */
export const EXCHANGE_TICKERS: TableSpec = {
  name: 'exchange_tickers',
  description:
    'Price, volume and spread of every pair of an exchange as listed at one moment. The source may list a pair more than once (several pools). A ticker that came twice with the same values is kept once (`duplicate` in _slices counts it). Rows with is_stale or is_anomaly are kept here and left out of views.',
  columns: [
    EXCHANGE_ID,
    ...TICKER_FIELDS.map(({ column }) => column).filter(({ name }) => PAIR.includes(name)),
    OBSERVED_AT,
    {
      ...ORDINAL,
      description:
        'Place in the whole listing from 0, over all its pages. coinlake asks in order of base and target, the only order that does not change while pages are read.',
    },
    OBSERVED_DATE,
    LISTING_NAME,
    ...TICKER_FIELDS.map(({ column }) => column).filter(({ name }) => !PAIR.includes(name)),
    ABSENT,
    EXTRA,
  ],
  ...snapshotBy(
    ['exchange_id', 'base', 'target', 'coin_id', 'observed_at', 'ordinal'],
    ['exchange_id', 'observed_at', 'ordinal'],
  ),
  placeColumn: 'ordinal',
}

/** The service allows no other page size. */
const PER_PAGE = 100

const ORDER_BY: Readonly<Record<string, RowSelection['orderBy']>> = {
  volume_desc: [{ column: 'converted_volume_usd', descending: true }],
  volume_asc: [{ column: 'converted_volume_usd' }],
  market_cap_desc: [{ column: 'coin_mcap_usd', descending: true }],
  market_cap_asc: [{ column: 'coin_mcap_usd' }],
  base_target: [{ column: 'base' }, { column: 'target' }],
}

const answer: Answer = {
  select: (params, nowMs) => {
    const equals = { exchange_id: params['id'] ?? '' }
    const newest = { column: 'observed_at', nowMs }
    const coinIds = csvOf(params['coin_ids'])
    return [
      {
        table: EXCHANGE_TICKERS.name,
        equals,
        ...(coinIds === null ? {} : { oneOf: { column: 'coin_id', values: coinIds } }),
        newest,
        // No column holds the trust score's order, so the service's default gives the recorded order.
        orderBy: [...(ORDER_BY[params['order'] ?? ''] ?? []), { column: 'ordinal' }],
        ...pageWindow({ page: params['page'] ?? '1' }, PER_PAGE, PER_PAGE),
      },
      // For a page without tickers: the name, from any ticker of the listing, else from the exchange.
      { table: EXCHANGE_TICKERS.name, equals, newest, orderBy: [{ column: 'ordinal' }], limit: 1 },
      { table: 'exchanges', equals, orderBy: [], limit: 1 },
    ]
  },
  toBody: ([tickers = [], listed = [], known = []], params) =>
    tickersBody(tickers, listed[0], known[0], params),
}

export const exchangeTickers: Dataset = {
  name: 'exchange_tickers',
  description: 'Traded pairs of one exchange, once per `every`.',
  kind: 'snapshot',
  operations: ['exchanges/{id}/tickers'],
  tables: [EXCHANGE_TICKERS],
  entity: 'exchange',
  ...WITHOUT_SERIES,
  leftOut: [EMPTY_LISTING],
  steps: (slice) => [
    {
      operation: 'exchanges/{id}/tickers',
      params: { id: slice.entity, order: 'base_target', ...TICKER_EXTRAS },
      paging: 'until_short',
      perPage: PER_PAGE,
    },
  ],
  toTables: (body, context) => {
    const { listing, name } = readTickerListing(body)
    const table = listingTable(EXCHANGE_TICKERS, TICKER_FIELDS, listing.rows, {
      exchange_id: { constant: context.slice.entity },
      ...observedIn(context),
      ordinal: ordinals(listing.rows, context),
      listing_name: { constant: name },
    })
    return listingPage(listing, [table])
  },
  answers: { 'exchanges/{id}/tickers': answer },
  bodies: { 'exchanges/{id}/tickers': TICKER_PAGE },
}
