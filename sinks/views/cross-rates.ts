import { column } from '../../datasets/table/column.ts'
import { OBSERVED_AT, OBSERVED_DATE } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'

export const crossRates: AnalystView = {
  name: 'cross_rates',
  description:
    "One row per pair of currencies and observation: units of to_currency for one from_currency, from the source's rates against BTC. There are no rates before the first sync; for older dates use a coin's own series in that currency (daily_prices). Choose from_currency and to_currency, because all pairs are very many rows.",
  needs: ['exchange_rates'],
  columns: [
    OBSERVED_AT,
    OBSERVED_DATE,
    column('from_currency', 'string', 'Code of the priced currency, lower case.'),
    column('to_currency', 'string', 'Code of the currency of the price, lower case.'),
    column(
      'rate',
      'double',
      "As exact as the source's rates against BTC, which have about three decimals.",
      'to_currency per from_currency',
    ),
  ],
  sql: `SELECT a.observed_at, a.observed_date, a.currency AS from_currency, b.currency AS to_currency,
  b.value / nullif(a.value, 0) AS rate
FROM main.exchange_rates AS a
JOIN main.exchange_rates AS b ON a.observed_at = b.observed_at`,
}
