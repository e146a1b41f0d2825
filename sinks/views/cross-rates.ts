import { OBSERVED_AT, OBSERVED_DATE } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'

/** Any currency in any other, by way of BTC. */
export const crossRates: AnalystView = {
  name: 'cross_rates',
  description:
    "One row per pair of currencies and observation: units of to_currency for one from_currency, from the source's rates against BTC. There is nothing before the first sync: for older dates ask a coin's own series in that currency (daily_prices). Choose from_currency and to_currency: all pairs are many.",
  needs: ['exchange_rates'],
  columns: [
    OBSERVED_AT,
    OBSERVED_DATE,
    {
      name: 'from_currency',
      type: 'string',
      unit: null,
      description: 'Code of the currency that is paid for, lower case.',
    },
    {
      name: 'to_currency',
      type: 'string',
      unit: null,
      description: 'Code of the currency it is paid in, lower case.',
    },
    {
      name: 'rate',
      type: 'double',
      unit: 'to_currency per from_currency',
      description:
        'Rounded as the source rounds its rates against BTC: about three decimals of those.',
    },
  ],
  sql: `SELECT a.observed_at, a.observed_date, a.currency AS from_currency, b.currency AS to_currency,
  b.value / nullif(a.value, 0) AS rate
FROM main.exchange_rates AS a
JOIN main.exchange_rates AS b ON a.observed_at = b.observed_at`,
}
