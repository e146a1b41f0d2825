import { COIN_ID, VS_CURRENCY } from './table/common-columns.ts'
import { snapshotTable } from './table/snapshot-table.ts'
import type { Answer } from './dataset.ts'
import { csvValues } from './request/page-window.ts'
import { newestQuotes, quoteBody } from './quotes/quote-answer.ts'
import { CURRENCIES_PER_SLICE, QUOTE_COLUMNS, QUOTE_PARAMS } from './quotes/quote-fields.ts'
import { quoteTables } from './quotes/quote-tables.ts'
import { snapshotDataset } from './request/snapshot-dataset.ts'

export const PRICE_QUOTES = snapshotTable({
  name: 'price_quotes',
  description:
    'Latest price of chosen coins with all its decimals, at one moment: one row per coin, currency and observation. A coin that the source does not know has no row here but one in _quarantine (rule not_in_answer); a currency that it does not know has a row without a price.',
  key: ['coin_id', 'vs_currency', 'observed_at'],
  columns: [COIN_ID, VS_CURRENCY, ...QUOTE_COLUMNS],
})

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

export const priceQuotes = snapshotDataset({
  name: 'price_quotes',
  description: 'Latest price, market cap and volume of chosen coins, once per `every`.',
  operation: 'simple/price',
  params: ({ entity: ids, vsCurrency: vs_currencies }) => ({ ids, vs_currencies, ...QUOTE_PARAMS }),
  tables: [PRICE_QUOTES],
  entity: 'coin',
  perCurrency: true,
  entitiesPerSlice: IDS_PER_SLICE,
  currenciesPerSlice: CURRENCIES_PER_SLICE,
  toTables: (body, context) =>
    quoteTables(PRICE_QUOTES, body, context, {
      column: COIN_ID.name,
      asked: context.slice.entity.split(','),
      idOf: (key) => key,
      constants: {},
    }),
  answer,
})
