import { column } from '../../datasets/table/column.ts'
import { COIN_ID, VS_CURRENCY } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'
import { dailyPrices } from './prices.ts'
import { CLOSE_OF_DATE, deprecatedBucketDate, IS_PROVISIONAL } from './price-columns.ts'

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
  // A quotient of two prices may be 0 or infinite. Its logarithm would fail every query over all coins.
  sql: `SELECT coin_id, vs_currency, close_of_date, price, previous_price,
  price / nullif(previous_price, 0) - 1 AS simple_return,
  CASE WHEN price > 0 AND previous_price > 0 THEN ln(price) - ln(previous_price) END AS log_return,
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

/** Days of a window, and the least number of returns in it. */
const VOLATILITY_DAYS = 30
const MIN_RETURNS = 20
/** Coins trade every day of the year. */
const DAYS_PER_YEAR = 365

export const volatility: AnalystView = {
  name: 'volatility',
  description: `One row per coin, currency and UTC day: the standard deviation of the daily log returns of the ${VOLATILITY_DAYS} days up to it; NULL for a window with less than ${MIN_RETURNS} returns.`,
  needs: returns.needs,
  columns: [
    COIN_ID,
    VS_CURRENCY,
    { ...CLOSE_OF_DATE, description: 'Last UTC day of the window.' },
    column('returns_30d', 'integer', `Number of returns in the ${VOLATILITY_DAYS} days.`, 'days'),
    column(
      'volatility_30d',
      'double',
      'Sample standard deviation of the log returns.',
      'fraction per day',
    ),
    column(
      'volatility_30d_annualised',
      'double',
      `volatility_30d times the square root of ${DAYS_PER_YEAR}, as coins trade every day.`,
      'fraction per year',
    ),
    deprecatedBucketDate('close_of_date + 1, the day at whose start the window ends'),
  ],
  sql: `SELECT coin_id, vs_currency, close_of_date, returns_30d, volatility_30d,
  volatility_30d * sqrt(${DAYS_PER_YEAR}) AS volatility_30d_annualised,
  close_of_date + 1 AS bucket_date
FROM (
  SELECT coin_id, vs_currency, close_of_date, count(log_return) OVER recent AS returns_30d,
    CASE WHEN count(log_return) OVER recent >= ${MIN_RETURNS}
      THEN stddev_samp(log_return) OVER recent END AS volatility_30d
  FROM main.returns
  WINDOW recent AS (
    PARTITION BY coin_id, vs_currency ORDER BY close_of_date
    RANGE BETWEEN INTERVAL ${VOLATILITY_DAYS - 1} DAYS PRECEDING AND CURRENT ROW)
)`,
}

const CORRELATION_DAYS = 90
const MIN_DAYS = 20

export const correlation: AnalystView = {
  name: 'correlation',
  description: `One row per ordered pair of coins (also of a coin with itself) and currency: the correlation of their daily log returns over the last ${CORRELATION_DAYS} days that the warehouse has in that currency. Only days with a return of both coins count; pairs with less than ${MIN_DAYS} such days have no row. Choose a coin_id, because all pairs of many coins are very many rows.`,
  needs: returns.needs,
  columns: [
    COIN_ID,
    { ...COIN_ID, name: 'other_coin_id', description: 'The coin it is compared with.' },
    VS_CURRENCY,
    column('from_date', 'date', 'First day that both have.'),
    column('to_date', 'date', 'Last day that both have.'),
    column('days', 'integer', 'Days with a return of both.', 'days'),
    column(
      'correlation_90d',
      'double',
      "Pearson's coefficient from -1 to 1, 1 of a coin with itself; NULL where one of them did not move.",
    ),
  ],
  sql: `SELECT a.coin_id, b.coin_id AS other_coin_id, a.vs_currency,
  min(a.close_of_date) AS from_date, max(a.close_of_date) AS to_date, count(*) AS days,
  CASE WHEN stddev_samp(a.log_return) > 0 AND stddev_samp(b.log_return) > 0
    THEN CASE WHEN a.coin_id = b.coin_id THEN 1 ELSE corr(a.log_return, b.log_return) END END AS correlation_90d
FROM main.returns AS a
JOIN main.returns AS b
  ON a.vs_currency = b.vs_currency AND a.close_of_date = b.close_of_date
JOIN (SELECT vs_currency, max(close_of_date) AS newest FROM main.returns GROUP BY vs_currency) AS last
  ON last.vs_currency = a.vs_currency
WHERE a.close_of_date > last.newest - ${CORRELATION_DAYS}
  AND a.log_return IS NOT NULL AND b.log_return IS NOT NULL
GROUP BY a.coin_id, b.coin_id, a.vs_currency
HAVING count(*) >= ${MIN_DAYS}`,
}
