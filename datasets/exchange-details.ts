import { TICKER_FIELDS } from './tickers/exchange-ticker-fields.ts'
import { EXCHANGE_ID } from './table/common-columns.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import type { Answer } from './dataset.ts'
import { EXCHANGE_DETAIL_FIELDS } from './exchange/exchange-detail-fields.ts'
import { exchangeTickers } from './exchange-tickers.ts'
import { bodyWithName } from './record/envelope.ts'
import { listingPage, listingTable, readLone } from './record/listing.ts'
import { columnsOf } from './record/record-field.ts'
import { tickersOf } from './tickers/tickers-answer.ts'
import { newestRows } from './record/newest-rows.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'
import { writeRecord } from './record/write-record.ts'

export const EXCHANGE_DETAILS = snapshotTable({
  name: 'exchange_details',
  description:
    'Description, links, notices, trust score and 24-hour volume of single exchanges: one row per exchange and observation. Its pairs are in exchange_tickers.',
  key: ['exchange_id', 'observed_at'],
  columns: [EXCHANGE_ID, ...columnsOf(EXCHANGE_DETAIL_FIELDS)],
})

const TICKERS = 100

const answer: Answer = {
  select: (params, nowMs) => {
    const equals = { exchange_id: params['id'] ?? '' }
    return [
      newestRows(EXCHANGE_DETAILS, nowMs, { equals }),
      newestRows(exchangeTickers.tables[0]!, nowMs, { equals, limit: TICKERS }),
    ]
  },
  toBody: ([details = [], listed = []]) => {
    const [row] = details
    if (row === undefined) return null
    const { status_updates, ...members } = writeRecord(EXCHANGE_DETAIL_FIELDS, row)
    // The source sends status_updates last.
    return {
      ...members,
      // [] would mean that the exchange has no pairs, but the warehouse may just not export them. Only the operation for
      // pairs (exchanges/{id}/tickers) gives depth and logo.
      ...(listed.length === 0 ? {} : { tickers: tickersOf(listed, listed[0], {}) }),
      ...(status_updates === undefined ? {} : { status_updates }),
    }
  },
}

export const exchangeDetails = snapshotDataset({
  name: 'exchange_details',
  description: 'The details of one exchange without its pairs, once per `every`.',
  operation: 'exchanges/{id}',
  params: ({ entity: id }) => ({ id }),
  tables: [EXCHANGE_DETAILS],
  entity: 'exchange',
  leftOut: [
    {
      path: '$.tickers',
      reason:
        'At most 100 pairs; the dataset exchange_tickers has all pairs. coinlake serve answers from that table, where it is exported.',
    },
  ],
  toTables: (body, context) => {
    const { tickers: _tickers, ...own } = bodyWithName(body)
    const listing = readLone(EXCHANGE_DETAIL_FIELDS, own)
    const table = listingTable(EXCHANGE_DETAILS, EXCHANGE_DETAIL_FIELDS, listing.rows, context, {
      exchange_id: { constant: context.slice.entity },
    })
    return listingPage(listing, [table])
  },
  answer,
  parts: [
    { at: '$', fields: EXCHANGE_DETAIL_FIELDS },
    { at: '$.tickers[*]', fields: TICKER_FIELDS },
  ],
})
