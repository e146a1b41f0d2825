import { SourceDataError } from '../api/errors.ts'
import { tableFromColumns } from './arrow-columns.ts'
import {
  ABSENT,
  EXCHANGE_ID,
  EXTRA,
  FIRST_SEEN_AT,
  LAST_SEEN_AT,
  LIST_ORDINAL,
  OBSERVED_AT,
  OBSERVED_DATE,
  ORDINAL,
} from './common-columns.ts'
import type { Answer, Dataset, RowSelection, TableSpec } from './dataset.ts'
import {
  DERIVATIVE_EXCHANGE_FIELDS,
  LISTED_DERIVATIVE_EXCHANGE_FIELDS,
} from './derivative-exchange-fields.ts'
import { itemsOf, listingColumns, listingPage, ordinals, readListing } from './listing.ts'
import { pageWindow } from './page-window.ts'
import { columnsOf, field, text, type RecordField } from './record-field.ts'
import { WITHOUT_SERIES } from './without-series.ts'
import { writeRecord } from './write-record.ts'

const LIST_FIELDS: readonly RecordField[] = [
  field('id', EXCHANGE_ID),
  text('name', 'Display name when it was last seen.'),
]

/** Every derivative exchange ever listed since the first sync. */
export const DERIVATIVE_EXCHANGES: TableSpec = {
  name: 'derivative_exchanges',
  description:
    'Exchanges of the source that trade futures and perpetual contracts: one row per exchange. One that is gone keeps its row; its last_seen_at stands still.',
  columns: [...columnsOf(LIST_FIELDS), FIRST_SEEN_AT, LAST_SEEN_AT, LIST_ORDINAL, ABSENT, EXTRA],
  key: ['exchange_id'],
  sort: ['exchange_id'],
  load: 'catalogue',
  monthBy: null,
}

/** Derivative exchanges with their statistics at one moment. */
export const DERIVATIVE_EXCHANGE_STATS: TableSpec = {
  name: 'derivative_exchange_stats',
  description:
    'Open interest and 24-hour volume of derivative exchanges as listed at one moment: one row per exchange and observation.',
  columns: [
    EXCHANGE_ID,
    OBSERVED_AT,
    OBSERVED_DATE,
    {
      ...ORDINAL,
      description:
        'Place in the whole listing from 0. coinlake asks in order of name, the only order that stands still while pages are read; it is no rank.',
    },
    ...columnsOf(DERIVATIVE_EXCHANGE_FIELDS),
    ABSENT,
    EXTRA,
  ],
  key: ['exchange_id', 'observed_at'],
  sort: ['exchange_id', 'observed_at'],
  load: 'snapshot',
  monthBy: 'observed_at',
}

/** The most the service gives on a page, and what it gives unasked. */
const PER_PAGE = 250
const DEFAULT_PER_PAGE = 50

const ORDER_BY: Readonly<Record<string, RowSelection['orderBy'][number]>> = {
  open_interest_btc_desc: { column: 'open_interest_btc', descending: true },
  open_interest_btc_asc: { column: 'open_interest_btc' },
  trade_volume_24h_btc_desc: { column: 'trade_volume_24h_btc', descending: true },
  trade_volume_24h_btc_asc: { column: 'trade_volume_24h_btc' },
  name_asc: { column: 'name' },
  name_desc: { column: 'name', descending: true },
}

const listAnswer: Answer = {
  select: (_, nowMs) => [
    {
      table: DERIVATIVE_EXCHANGES.name,
      newest: { column: 'last_seen_at', nowMs },
      orderBy: [{ column: 'list_ordinal' }],
    },
  ],
  toBody: ([rows = []]) => rows.map((row) => writeRecord(LIST_FIELDS, row)),
}

const statsAnswer: Answer = {
  select: (params, nowMs) => [
    {
      table: DERIVATIVE_EXCHANGE_STATS.name,
      newest: { column: 'observed_at', nowMs },
      orderBy: [
        ORDER_BY[params['order'] ?? ''] ?? ORDER_BY['open_interest_btc_desc']!,
        { column: 'ordinal' },
      ],
      ...pageWindow(params, DEFAULT_PER_PAGE, PER_PAGE),
    },
  ],
  toBody: ([rows = []]) => rows.map((row) => writeRecord(LISTED_DERIVATIVE_EXCHANGE_FIELDS, row)),
}

export const derivativeExchanges: Dataset = {
  name: 'derivative_exchanges',
  description: 'The list of derivative exchanges, and their statistics once a bucket of time.',
  kind: 'snapshot',
  operations: ['derivatives/exchanges/list', 'derivatives/exchanges'],
  tables: [DERIVATIVE_EXCHANGES, DERIVATIVE_EXCHANGE_STATS],
  entity: null,
  perCurrency: false,
  ...WITHOUT_SERIES,
  steps: () => [
    { operation: 'derivatives/exchanges/list', params: {}, paging: 'single', perPage: 0 },
    {
      operation: 'derivatives/exchanges',
      params: { order: 'name_asc', per_page: String(PER_PAGE) },
      paging: 'until_short',
      perPage: PER_PAGE,
    },
  ],
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const isList = context.step.operation === 'derivatives/exchanges/list'
    const fields = isList ? LIST_FIELDS : LISTED_DERIVATIVE_EXCHANGE_FIELDS
    const spec = isList ? DERIVATIVE_EXCHANGES : DERIVATIVE_EXCHANGE_STATS
    const listing = readListing(fields, itemsOf(body), '$', [EXCHANGE_ID.name])
    const at = { constant: context.observedAtMs }
    const places = ordinals(listing.rows, context)
    const rows = tableFromColumns(
      spec,
      {
        ...listingColumns(fields, listing.rows),
        ...(isList
          ? { first_seen_at: at, last_seen_at: at, list_ordinal: places }
          : { observed_at: at, observed_date: at, ordinal: places }),
      },
      listing.rows.length,
    )
    return listingPage(listing, [{ table: spec.name, rows }])
  },
  answers: { 'derivatives/exchanges/list': listAnswer, 'derivatives/exchanges': statsAnswer },
  bodies: {
    'derivatives/exchanges/list': [{ at: '$[*]', fields: LIST_FIELDS }],
    'derivatives/exchanges': [{ at: '$[*]', fields: LISTED_DERIVATIVE_EXCHANGE_FIELDS }],
  },
}
