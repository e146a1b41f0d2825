import { SourceDataError } from '../api/errors.ts'
import { tableFromColumns } from './arrow-columns.ts'
import { ABSENT, EXTRA, OBSERVED_AT, OBSERVED_DATE, ORDINAL } from './common-columns.ts'
import type { Answer, Dataset, TableSpec } from './dataset.ts'
import { DERIVATIVE_TICKER_FIELDS } from './derivative-ticker-fields.ts'
import { itemsOf, listingColumns, listingPage, ordinals, readListing } from './listing.ts'
import { columnsOf } from './record-field.ts'
import { WITHOUT_SERIES } from './without-series.ts'
import { writeRecord } from './write-record.ts'

/** What names a contract, as far as it has a name. */
const CONTRACT = ['market_name', 'symbol']

/** Futures and perpetual contracts of all exchanges at one moment. */
export const DERIVATIVE_TICKERS: TableSpec = {
  name: 'derivative_tickers',
  description:
    'Price, funding rate, open interest and volume of every futures and perpetual contract as listed at one moment: one row per place in the listing and observation. An exchange can list one symbol more than once; the listing names exchanges by display name only. derivative_exchange_tickers has more of each contract, by exchange id.',
  columns: [
    ...columnsOf(DERIVATIVE_TICKER_FIELDS).filter(({ name }) => CONTRACT.includes(name)),
    OBSERVED_AT,
    ORDINAL,
    OBSERVED_DATE,
    ...columnsOf(DERIVATIVE_TICKER_FIELDS).filter(({ name }) => !CONTRACT.includes(name)),
    ABSENT,
    EXTRA,
  ],
  key: ['market_name', 'symbol', 'observed_at', 'ordinal'],
  sort: ['market_name', 'symbol', 'observed_at', 'ordinal'],
  load: 'snapshot',
  monthBy: 'observed_at',
}

const answer: Answer = {
  select: (_, nowMs) => [
    {
      table: DERIVATIVE_TICKERS.name,
      newest: { column: 'observed_at', nowMs },
      orderBy: [{ column: 'ordinal' }],
    },
  ],
  toBody: ([rows = []]) => rows.map((row) => writeRecord(DERIVATIVE_TICKER_FIELDS, row)),
}

export const derivativeTickers: Dataset = {
  name: 'derivative_tickers',
  description: 'Futures and perpetual contracts of all exchanges, once a bucket of time.',
  kind: 'snapshot',
  operations: ['derivatives'],
  tables: [DERIVATIVE_TICKERS],
  entity: null,
  perCurrency: false,
  ...WITHOUT_SERIES,
  steps: () => [{ operation: 'derivatives', params: {}, paging: 'single', perPage: 0 }],
  toTables: (body, context) => {
    if (!Array.isArray(body)) throw new SourceDataError('$ is no array')
    const listing = readListing(DERIVATIVE_TICKER_FIELDS, itemsOf(body), '$', [])
    const rows = tableFromColumns(
      DERIVATIVE_TICKERS,
      {
        ...listingColumns(DERIVATIVE_TICKER_FIELDS, listing.rows),
        observed_at: { constant: context.observedAtMs },
        ordinal: ordinals(listing.rows, context),
        observed_date: { constant: context.observedAtMs },
      },
      listing.rows.length,
    )
    return listingPage(listing, [{ table: DERIVATIVE_TICKERS.name, rows }])
  },
  answers: { derivatives: answer },
  bodies: { derivatives: [{ at: '$[*]', fields: DERIVATIVE_TICKER_FIELDS }] },
}
