import { snapshotBy } from './table/row-keys.ts'
import { singleStep } from './request/single-step.ts'
import { TICKER_FIELDS } from './tickers/exchange-ticker-fields.ts'
import { SourceDataError } from '../api/errors.ts'
import { ABSENT, EXCHANGE_ID, EXTRA, OBSERVED_AT, OBSERVED_DATE } from './table/common-columns.ts'
import type { Answer, Dataset, TableSpec } from './dataset.ts'
import { EXCHANGE_DETAIL_FIELDS } from './exchange/exchange-detail-fields.ts'
import { EXCHANGE_TICKERS } from './exchange-tickers.ts'
import { listingPage, listingTable, observedIn, readListing } from './record/listing.ts'
import { isObject } from './record/read-record.ts'
import { columnsOf } from './record/record-field.ts'
import { tickerOf } from './tickers/tickers-answer.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'
import { writeRecord } from './record/write-record.ts'

export const EXCHANGE_DETAILS: TableSpec = {
  name: 'exchange_details',
  description:
    'Description, links, notices, trust score and 24-hour volume of single exchanges: one row per exchange and observation. Its pairs are in exchange_tickers.',
  columns: [
    EXCHANGE_ID,
    OBSERVED_AT,
    OBSERVED_DATE,
    ...columnsOf(EXCHANGE_DETAIL_FIELDS),
    ABSENT,
    EXTRA,
  ],
  ...snapshotBy(['exchange_id', 'observed_at']),
}

const TICKERS = 100

const answer: Answer = {
  select: (params, nowMs) => {
    const equals = { exchange_id: params['id'] ?? '' }
    const newest = { column: 'observed_at', nowMs }
    return [
      { table: EXCHANGE_DETAILS.name, equals, newest, orderBy: [] },
      {
        table: EXCHANGE_TICKERS.name,
        equals,
        newest,
        orderBy: [{ column: 'ordinal' }],
        limit: TICKERS,
      },
    ]
  },
  toBody: ([details = [], tickers = []]) => {
    const [row] = details
    if (row === undefined) return null
    const { status_updates, ...members } = writeRecord(EXCHANGE_DETAIL_FIELDS, row)
    const listed = tickers.map(tickerOf)
    // The source sends status_updates last.
    return {
      ...members,
      tickers: listed,
      ...(status_updates === undefined ? {} : { status_updates }),
    }
  },
}

export const exchangeDetails: Dataset = {
  name: 'exchange_details',
  description: 'The details of one exchange without its pairs, once per `every`.',
  kind: 'snapshot',
  operations: ['exchanges/{id}'],
  tables: [EXCHANGE_DETAILS],
  entity: 'exchange',
  ...WITHOUT_SERIES,
  leftOut: [
    {
      path: '$.tickers',
      reason:
        'At most 100 pairs; the dataset exchange_tickers has all pairs. coinlake serve answers from that table, where it is exported.',
    },
  ],
  steps: (slice) => [singleStep('exchanges/{id}', { id: slice.entity })],
  toTables: (body, context) => {
    if (!isObject(body)) throw new SourceDataError('$ is no object')
    if (typeof body['name'] !== 'string') throw new SourceDataError('$.name is no text')
    const { tickers: _tickers, ...own } = body
    const listing = readListing(EXCHANGE_DETAIL_FIELDS, [{ at: '', source: own }], '$', [])
    const table = listingTable(EXCHANGE_DETAILS, EXCHANGE_DETAIL_FIELDS, listing.rows, {
      exchange_id: { constant: context.slice.entity },
      ...observedIn(context),
    })
    return listingPage(listing, [table])
  },
  answers: { 'exchanges/{id}': answer },
  bodies: {
    'exchanges/{id}': [
      { at: '$', fields: EXCHANGE_DETAIL_FIELDS },
      { at: '$.tickers[*]', fields: TICKER_FIELDS },
    ],
  },
}
