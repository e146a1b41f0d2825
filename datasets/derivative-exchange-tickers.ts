import { snapshotBy } from './table/row-keys.ts'
import { singleStep } from './request/single-step.ts'
import { SourceDataError } from '../api/errors.ts'
import {
  ABSENT,
  EXCHANGE_ID,
  EXTRA,
  OBSERVED_AT,
  OBSERVED_DATE,
  ORDINAL,
} from './table/common-columns.ts'
import { derivativeExchangeAnswer } from './tickers/derivative-exchange-answer.ts'
import { DERIVATIVE_EXCHANGE_FIELDS } from './tickers/derivative-exchange-fields.ts'
import { DERIVATIVE_EXCHANGE_TICKER_FIELDS } from './tickers/derivative-exchange-ticker-fields.ts'
import type { Dataset, TableSpec } from './dataset.ts'
import {
  itemsOf,
  listingPage,
  listingTable,
  observedIn,
  ordinals,
  readListing,
} from './record/listing.ts'
import { isObject } from './record/read-record.ts'
import { child, columnsOf, type RecordField } from './record/record-field.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'

/** The fields of the whole body. Its contracts become rows of the child table. */
const BODY_FIELDS: readonly RecordField[] = [
  ...DERIVATIVE_EXCHANGE_FIELDS,
  child('tickers', 'list', 'Contracts of the exchange.'),
]

export const DERIVATIVE_EXCHANGE_DETAILS: TableSpec = {
  name: 'derivative_exchange_details',
  description:
    'Open interest and 24-hour volume of single derivative exchanges: one row per exchange and observation, from the same answer as its rows in derivative_exchange_tickers. derivative_exchange_stats has all exchanges at one moment.',
  columns: [
    EXCHANGE_ID,
    OBSERVED_AT,
    OBSERVED_DATE,
    ...columnsOf(DERIVATIVE_EXCHANGE_FIELDS),
    ABSENT,
    EXTRA,
  ],
  ...snapshotBy(['exchange_id', 'observed_at']),
}

export const DERIVATIVE_EXCHANGE_TICKERS: TableSpec = {
  name: 'derivative_exchange_tickers',
  description:
    'Price, funding rate, open interest and volume of every contract of a derivative exchange at one moment: one row per exchange, place in its list and observation. Unlike derivative_tickers it names exchange and coins by id.',
  columns: [
    EXCHANGE_ID,
    ...columnsOf(DERIVATIVE_EXCHANGE_TICKER_FIELDS).filter(({ name }) => name === 'symbol'),
    OBSERVED_AT,
    { ...ORDINAL, description: "Place in the exchange's list from 0." },
    OBSERVED_DATE,
    ...columnsOf(DERIVATIVE_EXCHANGE_TICKER_FIELDS).filter(({ name }) => name !== 'symbol'),
    ABSENT,
    EXTRA,
  ],
  ...snapshotBy(
    ['exchange_id', 'symbol', 'observed_at', 'ordinal'],
    ['exchange_id', 'observed_at', 'ordinal'],
  ),
}

export const derivativeExchangeTickers: Dataset = {
  name: 'derivative_exchange_tickers',
  description: 'One derivative exchange and all its contracts, once per `every`.',
  kind: 'snapshot',
  operations: ['derivatives/exchanges/{id}'],
  tables: [DERIVATIVE_EXCHANGE_DETAILS, DERIVATIVE_EXCHANGE_TICKERS],
  entity: 'derivative_exchange',
  ...WITHOUT_SERIES,
  steps: (slice) => [
    // Without include_tickers the answer has no contracts at all.
    singleStep('derivatives/exchanges/{id}', { id: slice.entity, include_tickers: 'all' }),
  ],
  toTables: (body, context) => {
    if (!isObject(body)) throw new SourceDataError('$ is no object')
    if (typeof body['name'] !== 'string') throw new SourceDataError('$.name is no text')
    const { tickers: listed, ...own } = body
    if (listed !== undefined && !Array.isArray(listed)) {
      throw new SourceDataError('$.tickers is no array')
    }
    // A bad exchange must not take its contracts into quarantine.
    const source = listed === undefined ? own : { ...own, tickers: [] }
    const exchange = readListing(BODY_FIELDS, [{ at: '', source }], '$', [])
    const items = itemsOf(listed ?? [])
    const tickers = readListing(DERIVATIVE_EXCHANGE_TICKER_FIELDS, items, '$.tickers', [])
    const common = { exchange_id: { constant: context.slice.entity }, ...observedIn(context) }
    const [details, fields] = [DERIVATIVE_EXCHANGE_DETAILS, DERIVATIVE_EXCHANGE_TICKER_FIELDS]
    const ordinal = ordinals(tickers.rows, context)
    return {
      ...listingPage(tickers, [
        listingTable(details, DERIVATIVE_EXCHANGE_FIELDS, exchange.rows, common),
        listingTable(DERIVATIVE_EXCHANGE_TICKERS, fields, tickers.rows, { ...common, ordinal }),
      ]),
      rejected: [...exchange.rejected, ...tickers.rejected],
      unknownPaths: { ...exchange.unknownPaths, ...tickers.unknownPaths },
    }
  },
  answers: {
    'derivatives/exchanges/{id}': derivativeExchangeAnswer({
      details: DERIVATIVE_EXCHANGE_DETAILS.name,
      tickers: DERIVATIVE_EXCHANGE_TICKERS.name,
    }),
  },
  bodies: {
    'derivatives/exchanges/{id}': [
      { at: '$', fields: DERIVATIVE_EXCHANGE_FIELDS },
      { at: '$.tickers[*]', fields: DERIVATIVE_EXCHANGE_TICKER_FIELDS },
    ],
  },
}
