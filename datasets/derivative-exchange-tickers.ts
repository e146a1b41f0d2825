import { EXCHANGE_ID, ORDINAL } from './table/common-columns.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import type { Answer } from './dataset.ts'
import { DERIVATIVE_EXCHANGE_STATS } from './derivative-exchanges.ts'
import { DERIVATIVE_EXCHANGE_FIELDS } from './tickers/derivative-exchange-fields.ts'
import { DERIVATIVE_EXCHANGE_TICKER_FIELDS } from './tickers/derivative-exchange-ticker-fields.ts'
import { bodyWithName, splitLists, wasNull } from './record/envelope.ts'
import { itemsOf, listingPage, listingTable, readListing, readLone } from './record/listing.ts'
import { child, columnsOf, type RecordField } from './record/record-field.ts'
import { newestRows, ofObservation } from './record/newest-rows.ts'
import { absentOf, writeRecord } from './record/write-record.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'

const BODY_FIELDS: readonly RecordField[] = [
  ...DERIVATIVE_EXCHANGE_FIELDS,
  child('tickers', 'list', 'Contracts of the exchange.'),
]

const DERIVATIVE_EXCHANGE_DETAILS = snapshotTable({
  name: 'derivative_exchange_details',
  description:
    'Open interest and 24-hour volume of single derivative exchanges: one row per exchange and observation, from the same answer as its rows in derivative_exchange_tickers. derivative_exchange_stats has all exchanges at one moment.',
  key: ['exchange_id', 'observed_at'],
  columns: [EXCHANGE_ID, ...columnsOf(DERIVATIVE_EXCHANGE_FIELDS)],
})

const DERIVATIVE_EXCHANGE_TICKERS = snapshotTable({
  name: 'derivative_exchange_tickers',
  description:
    'Price, funding rate, open interest and volume of every contract of a derivative exchange at one moment: one row per exchange, place in its list and observation. Unlike derivative_tickers it names exchange and coins by id.',
  key: ['exchange_id', 'symbol', 'observed_at', 'ordinal'],
  sort: ['exchange_id', 'observed_at', 'ordinal'],
  columns: [
    EXCHANGE_ID,
    { ...ORDINAL, description: "Place in the exchange's list from 0." },
    ...columnsOf(DERIVATIVE_EXCHANGE_TICKER_FIELDS),
  ],
})

/**
 * An exchange that was never observed alone is answered from the newest listing of all, which has the same fields but no
 * contracts.
 */
const answer: Answer = {
  hasStandIns: true,
  select: (params, nowMs) => {
    const equals = { exchange_id: params['id'] ?? '' }
    return [
      newestRows(DERIVATIVE_EXCHANGE_DETAILS, nowMs, { equals }),
      newestRows(DERIVATIVE_EXCHANGE_STATS, nowMs, { equals, orderBy: [] }),
      newestRows(DERIVATIVE_EXCHANGE_TICKERS, nowMs, { equals }),
    ]
  },
  toBody: ([details = [], listed = [], tickers = []], params, nowMs) => {
    const row = details[0] ?? listed[0]
    if (row === undefined) return null
    const { tickers: _null, ...body } = writeRecord(DERIVATIVE_EXCHANGE_FIELDS, row)
    const wanted = params['include_tickers'] ?? ''
    const isSent = details.length > 0 && !absentOf(row).includes('tickers')
    if (wanted === '' || !isSent) return body
    if (wasNull(row, 'tickers')) return { ...body, tickers: null }
    const shown = ofObservation(tickers, row)
      .filter(({ expired_at: atMs }) => wanted !== 'unexpired' || Number(atMs ?? Infinity) > nowMs)
      .map((ticker) => writeRecord(DERIVATIVE_EXCHANGE_TICKER_FIELDS, ticker))
    return { ...body, tickers: shown }
  },
}

export const derivativeExchangeTickers = snapshotDataset({
  name: 'derivative_exchange_tickers',
  description: 'One derivative exchange and all its contracts, once per `every`.',
  operation: 'derivatives/exchanges/{id}',
  // Without include_tickers the answer has no contracts at all.
  params: ({ entity: id }) => ({ id, include_tickers: 'all' }),
  tables: [DERIVATIVE_EXCHANGE_DETAILS, DERIVATIVE_EXCHANGE_TICKERS],
  entity: 'derivative_exchange',
  toTables: (body, context) => {
    const tickerList = { key: 'tickers', isRequired: false } as const
    const { own, items: sent, rejected } = splitLists(bodyWithName(body), [tickerList])
    // A bad exchange must not take its contracts into quarantine.
    const exchange = readLone(BODY_FIELDS, own)
    const items = itemsOf(sent.tickers)
    const tickers = readListing(DERIVATIVE_EXCHANGE_TICKER_FIELDS, items, '$.tickers', [])
    const id = { exchange_id: { constant: context.slice.entity } }
    const [details, fields] = [DERIVATIVE_EXCHANGE_DETAILS, DERIVATIVE_EXCHANGE_TICKER_FIELDS]
    return {
      ...listingPage(tickers, [
        listingTable(details, DERIVATIVE_EXCHANGE_FIELDS, exchange.rows, context, id),
        listingTable(DERIVATIVE_EXCHANGE_TICKERS, fields, tickers.rows, context, id),
      ]),
      rejected: [...rejected, ...exchange.rejected, ...tickers.rejected],
      unknownPaths: { ...exchange.unknownPaths, ...tickers.unknownPaths },
    }
  },
  answer,
  parts: [
    { at: '$', fields: DERIVATIVE_EXCHANGE_FIELDS },
    { at: '$.tickers[*]', fields: DERIVATIVE_EXCHANGE_TICKER_FIELDS },
  ],
})
