import { column } from '../../datasets/table/column.ts'
import { COIN_ID, VS_CURRENCY } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'
import { CLOSE_OF_DATE, deprecatedBucketDate } from './price-columns.ts'
import { returns } from './returns.ts'

/** Days of a window, and the least number of returns in it. */
const WINDOW_DAYS = 30
const MIN_RETURNS = 20
/** Coins trade every day of the year. */
const DAYS_PER_YEAR = 365

export const volatility: AnalystView = {
  name: 'volatility',
  description: `One row per coin, currency and UTC day: the standard deviation of the daily log returns of the ${WINDOW_DAYS} days up to it; NULL for a window with less than ${MIN_RETURNS} returns.`,
  needs: returns.needs,
  columns: [
    COIN_ID,
    VS_CURRENCY,
    { ...CLOSE_OF_DATE, description: 'Last UTC day of the window.' },
    column('returns_30d', 'integer', `Number of returns in the ${WINDOW_DAYS} days.`, 'days'),
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
    RANGE BETWEEN INTERVAL ${WINDOW_DAYS - 1} DAYS PRECEDING AND CURRENT ROW)
)`,
}
