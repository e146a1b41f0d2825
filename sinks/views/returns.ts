import { column } from '../../datasets/table/column.ts'
import { COIN_ID, VS_CURRENCY } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'
import { dailyPrices } from './daily-prices.ts'
import { CLOSE_OF_DATE, deprecatedBucketDate, IS_PROVISIONAL } from './price-columns.ts'

/** Day-to-day returns. After a missing day there is none, because that would be a return of two days. */
export const returns: AnalystView = {
  name: 'returns',
  description:
    'One row per coin, currency and UTC day with a price on the day before: the change from that price of daily_prices to this one. A day after a missing day has no row, so no return runs over two days.',
  needs: dailyPrices.needs,
  columns: [
    COIN_ID,
    VS_CURRENCY,
    {
      ...CLOSE_OF_DATE,
      description: 'The UTC day over which the return ran, from close to close.',
    },
    column('price', 'double', 'Price at the end of close_of_date.', 'vs_currency'),
    column('previous_price', 'double', 'Price one day earlier.', 'vs_currency'),
    column(
      'simple_return',
      'double',
      'price / previous_price - 1: 0.02 is a rise of 2 %. NULL after a price of 0.',
      'fraction',
    ),
    column(
      'log_return',
      'double',
      'Natural logarithm of price / previous_price: can be added over days. NULL at a price of 0.',
      'fraction',
    ),
    IS_PROVISIONAL,
    deprecatedBucketDate('close_of_date + 1, the day at whose start the return ends'),
  ],
  sql: `SELECT coin_id, vs_currency, close_of_date, price, previous_price,
  price / nullif(previous_price, 0) - 1 AS simple_return,
  CASE WHEN price > 0 AND previous_price > 0 THEN ln(price / previous_price) END AS log_return,
  is_provisional, close_of_date + 1 AS bucket_date
FROM (
  SELECT coin_id, vs_currency, close_of_date, price, is_provisional,
    lag(price) OVER series AS previous_price, lag(close_of_date) OVER series AS previous_date
  FROM main.daily_prices
  WHERE price IS NOT NULL
  WINDOW series AS (PARTITION BY coin_id, vs_currency ORDER BY close_of_date)
)
WHERE previous_date = close_of_date - 1`,
}
