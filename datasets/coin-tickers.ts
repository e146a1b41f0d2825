import { snapshotBy } from './table/row-keys.ts'
import {
  ABSENT,
  COIN_ID,
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
import { columnsOf } from './record/record-field.ts'
import { TICKER_PAGE, readTickerListing } from './tickers/ticker-listing.ts'
import { EMPTY_LISTING, tickersBody } from './tickers/tickers-answer.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'

const LISTING_COIN_ID: Column = {
  ...COIN_ID,
  name: 'listing_coin_id',
  description:
    'Id of the coin whose tickers were asked for. Mostly the base of the pair (coin_id), sometimes its target.',
}

const LISTING_NAME: Column = {
  name: 'listing_name',
  type: 'string',
  unit: null,
  description: 'Name of the listing, which is the name of the coin.',
}

/** Columns of the key that come from the ticker itself. */
const PAIR = ['base', 'target', 'coin_id']

/** Traded pairs of coins at one moment. */
export const COIN_TICKERS: TableSpec = {
  name: 'coin_tickers',
  description:
    'Price, volume, depth and spread of every pair of a coin, on all exchanges, as listed at one moment: one row per listing and place in it. The listing changes while its pages are read, so a ticker may come twice or be missed: with the same values it is kept once (`duplicate` and `moved` in _slices count it), with other values twice. The source itself may also list a pair more than once (several pools). Rows with is_stale or is_anomaly are kept here.',
  columns: [
    LISTING_COIN_ID,
    {
      ...EXCHANGE_ID,
      description:
        'Id of the exchange of this pair, the same as market_identifier; empty where the source names none.',
    },
    ...columnsOf(TICKER_FIELDS).filter(({ name }) => PAIR.includes(name)),
    OBSERVED_AT,
    {
      ...ORDINAL,
      description:
        "Place in the whole listing from 0, over all its pages. coinlake asks in order of trust score, the service's default.",
    },
    OBSERVED_DATE,
    LISTING_NAME,
    ...columnsOf(TICKER_FIELDS).filter(({ name }) => !PAIR.includes(name)),
    ABSENT,
    EXTRA,
  ],
  ...snapshotBy(
    ['listing_coin_id', 'exchange_id', 'base', 'target', 'coin_id', 'observed_at', 'ordinal'],
    ['listing_coin_id', 'observed_at', 'ordinal'],
  ),
  placeColumn: 'ordinal',
}

/** The service allows no other page size. */
const PER_PAGE = 100

/** The default, trust_score_desc, is left out because the rows were recorded in that order. */
const ORDER_BY: Readonly<Record<string, RowSelection['orderBy']>> = {
  trust_score_asc: [{ column: 'ordinal', descending: true }],
  volume_desc: [{ column: 'converted_volume_usd', descending: true }],
  volume_asc: [{ column: 'converted_volume_usd' }],
}

const answer: Answer = {
  select: (params, nowMs) => {
    const id = params['id'] ?? ''
    const equals = { listing_coin_id: id }
    const newest = { column: 'observed_at', nowMs }
    const exchangeIds = csvOf(params['exchange_ids'])
    return [
      {
        table: COIN_TICKERS.name,
        equals,
        ...(exchangeIds === null ? {} : { oneOf: { column: 'exchange_id', values: exchangeIds } }),
        newest,
        orderBy: [...(ORDER_BY[params['order'] ?? ''] ?? []), { column: 'ordinal' }],
        ...pageWindow({ page: params['page'] ?? '1' }, PER_PAGE, PER_PAGE),
      },
      // For a page without tickers: the name, from any ticker of the listing, else from the coin.
      { table: COIN_TICKERS.name, equals, newest, orderBy: [{ column: 'ordinal' }], limit: 1 },
      {
        table: 'coins',
        equals: { coin_id: id },
        orderBy: [{ column: 'last_seen_at', descending: true }],
        limit: 1,
      },
    ]
  },
  toBody: ([tickers = [], listed = [], known = []], params) =>
    tickersBody(tickers, listed[0], known[0], params),
}

export const coinTickers: Dataset = {
  name: 'coin_tickers',
  description: 'Traded pairs of one coin on all exchanges, once per `every`.',
  kind: 'snapshot',
  operations: ['coins/{id}/tickers'],
  tables: [COIN_TICKERS],
  entity: 'coin',
  ...WITHOUT_SERIES,
  leftOut: [EMPTY_LISTING],
  steps: (slice) => [
    {
      operation: 'coins/{id}/tickers',
      params: { id: slice.entity, order: 'trust_score_desc', ...TICKER_EXTRAS },
      paging: 'until_short',
      perPage: PER_PAGE,
    },
  ],
  toTables: (body, context) => {
    const { listing, name } = readTickerListing(body)
    const table = listingTable(COIN_TICKERS, TICKER_FIELDS, listing.rows, {
      ...observedIn(context),
      listing_coin_id: { constant: context.slice.entity },
      exchange_id: listing.rows.map(({ values }) => values['market_identifier'] ?? ''),
      ordinal: ordinals(listing.rows, context),
      listing_name: { constant: name },
    })
    return listingPage(listing, [table])
  },
  answers: { 'coins/{id}/tickers': answer },
  bodies: { 'coins/{id}/tickers': TICKER_PAGE },
}
