import { snapshotBy } from './table/row-keys.ts'
import { singleStep } from './request/single-step.ts'
import {
  ABSENT,
  COIN_ID,
  EXTRA,
  OBSERVED_AT,
  OBSERVED_DATE,
  VS_CURRENCY,
} from './table/common-columns.ts'
import type { Answer, Dataset, TableSpec } from './dataset.ts'
import { csvValues } from './request/page-window.ts'
import { newestQuotes, quoteBody } from './quotes/quote-answer.ts'
import { CURRENCIES_PER_SLICE, QUOTE_COLUMNS, QUOTE_EXTRAS } from './quotes/quote-fields.ts'
import { quoteTables } from './quotes/quote-tables.ts'
import { WITHOUT_SERIES } from './request/without-series.ts'

export const PRICE_QUOTES: TableSpec = {
  name: 'price_quotes',
  description:
    'Latest price of chosen coins with all its decimals, at one moment: one row per coin, currency and observation. A coin that the source does not know has no row here but one in _quarantine (rule not_in_answer); a currency that it does not know has a row without a price.',
  columns: [COIN_ID, VS_CURRENCY, OBSERVED_AT, OBSERVED_DATE, ...QUOTE_COLUMNS, ABSENT, EXTRA],
  ...snapshotBy(['coin_id', 'vs_currency', 'observed_at']),
}

/** Few enough for a URL of short ids. A slice of long ids ends earlier. */
const IDS_PER_SLICE = 250

const answer: Answer = {
  select: (params, nowMs) => {
    const ids = csvValues(params['ids']) ?? []
    return [
      newestQuotes(PRICE_QUOTES.name, COIN_ID.name, ids, nowMs),
      { table: 'coins', oneOf: { column: 'coin_id', values: ids }, orderBy: [] },
    ]
  },
  toBody: ([rows = [], coins = []], params) => {
    const known = coins.map((coin) => coin['coin_id'] as string)
    return quoteBody(rows, COIN_ID.name, known, params)
  },
}

export const priceQuotes: Dataset = {
  name: 'price_quotes',
  description: 'Latest price, market cap and volume of chosen coins, once per `every`.',
  kind: 'snapshot',
  operations: ['simple/price'],
  tables: [PRICE_QUOTES],
  entity: 'coin',
  ...WITHOUT_SERIES,
  perCurrency: true,
  entitiesPerSlice: IDS_PER_SLICE,
  currenciesPerSlice: CURRENCIES_PER_SLICE,
  steps: (slice) => [
    singleStep('simple/price', {
      ids: slice.entity,
      vs_currencies: slice.vsCurrency,
      ...QUOTE_EXTRAS,
    }),
  ],
  toTables: (body, context) =>
    quoteTables(PRICE_QUOTES, body, context, {
      column: COIN_ID.name,
      asked: context.slice.entity.split(','),
      idOf: (key) => key,
      constants: {},
    }),
  answers: { 'simple/price': answer },
}
