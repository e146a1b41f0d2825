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
import type { Answer, Dataset, TableSpec } from './dataset.ts'
import { itemsOf, listingColumns, listingPage, ordinals, readListing } from './listing.ts'
import { pageWindow } from './page-window.ts'
import { amount, count, field, flag, text, type RecordField } from './record-field.ts'
import { WITHOUT_SERIES } from './without-series.ts'
import { writeRecord } from './write-record.ts'

const LIST_FIELDS: readonly RecordField[] = [
  field('id', EXCHANGE_ID),
  text('name', 'Display name when it was last seen.'),
]

const STATS_FIELDS: readonly RecordField[] = [
  field('id', EXCHANGE_ID),
  text('name', 'Display name at that moment.'),
  count('year_established', 'year', 'Year in which the exchange opened.'),
  text('country', 'Country of registration, in English.'),
  text('description', 'Words about the exchange; empty or NULL for many.'),
  text('url', 'Website of the exchange.'),
  text('image', 'URL of the logo.'),
  flag('has_trading_incentive', 'Whether the exchange pays for trading; NULL when not known.'),
  count('trust_score', null, 'Trust score of the source from 1 to 10, best last; NULL for many.'),
  count('trust_score_rank', null, 'Rank by trust score from 1.'),
  amount(
    'trade_volume_24h_btc',
    'BTC',
    'Volume traded in the last 24 hours as the exchange reports it: a rolling figure.',
  ),
  amount(
    'trade_volume_24h_btc_normalized',
    'BTC',
    'Volume of 24 hours corrected by the source for web traffic; not sent since June 2025.',
  ),
]

/** Every exchange ever listed since the first sync. */
export const EXCHANGES: TableSpec = {
  name: 'exchanges',
  description:
    'Exchanges of the source, one row each, spot and derivatives. One that is gone keeps its row; its last_seen_at stands still.',
  columns: [
    ...LIST_FIELDS.map(({ column }) => column),
    FIRST_SEEN_AT,
    LAST_SEEN_AT,
    LIST_ORDINAL,
    ABSENT,
    EXTRA,
  ],
  key: ['exchange_id'],
  sort: ['exchange_id'],
  load: 'catalogue',
  monthBy: null,
}

/** Exchanges with their statistics at one moment. */
export const EXCHANGE_STATS: TableSpec = {
  name: 'exchange_stats',
  description:
    'Trust score and 24-hour volume of spot exchanges as listed at one moment: one row per exchange and observation.',
  columns: [
    EXCHANGE_ID,
    OBSERVED_AT,
    OBSERVED_DATE,
    ORDINAL,
    ...STATS_FIELDS.map(({ column }) => column).filter(({ name }) => name !== EXCHANGE_ID.name),
    ABSENT,
    EXTRA,
  ],
  key: ['exchange_id', 'observed_at'],
  sort: ['exchange_id', 'observed_at'],
  load: 'snapshot',
  monthBy: 'observed_at',
}

/** The most the service gives on a page. */
const PER_PAGE = 250
const DEFAULT_PER_PAGE = 100

const listAnswer: Answer = {
  select: ({ status }, nowMs) => [
    {
      table: EXCHANGES.name,
      newest: { column: 'last_seen_at', nowMs, gone: status === 'inactive' },
      orderBy: [{ column: 'list_ordinal' }],
    },
  ],
  toBody: ([rows = []]) => rows.map((row) => writeRecord(LIST_FIELDS, row)),
}

const statsAnswer: Answer = {
  select: (params, nowMs) => [
    {
      table: EXCHANGE_STATS.name,
      newest: { column: 'observed_at', nowMs },
      orderBy: [{ column: 'ordinal' }],
      ...pageWindow(params, DEFAULT_PER_PAGE, PER_PAGE),
    },
  ],
  toBody: ([rows = []]) => rows.map((row) => writeRecord(STATS_FIELDS, row)),
}

export const exchanges: Dataset = {
  name: 'exchanges',
  description: 'The list of exchanges, and the statistics of spot exchanges once a bucket of time.',
  kind: 'snapshot',
  operations: ['exchanges/list', 'exchanges'],
  tables: [EXCHANGES, EXCHANGE_STATS],
  entity: null,
  perCurrency: false,
  ...WITHOUT_SERIES,
  steps: () => [
    { operation: 'exchanges/list', params: {}, paging: 'single', perPage: 0 },
    {
      operation: 'exchanges',
      params: { per_page: String(PER_PAGE) },
      paging: 'until_short',
      perPage: PER_PAGE,
    },
  ],
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const isList = context.step.operation === 'exchanges/list'
    const fields = isList ? LIST_FIELDS : STATS_FIELDS
    const spec = isList ? EXCHANGES : EXCHANGE_STATS
    const listing = readListing(fields, itemsOf(body), '$', [EXCHANGE_ID.name])
    const at = { constant: context.observedAtMs }
    const rows = tableFromColumns(
      spec,
      {
        ...listingColumns(fields, listing.rows),
        ...(isList
          ? { first_seen_at: at, last_seen_at: at, list_ordinal: ordinals(listing.rows, context) }
          : { observed_at: at, observed_date: at, ordinal: ordinals(listing.rows, context) }),
      },
      listing.rows.length,
    )
    return listingPage(listing, [{ table: spec.name, rows }])
  },
  answers: { 'exchanges/list': listAnswer, exchanges: statsAnswer },
  bodies: {
    'exchanges/list': [{ at: '$[*]', fields: LIST_FIELDS }],
    exchanges: [{ at: '$[*]', fields: STATS_FIELDS }],
  },
}
