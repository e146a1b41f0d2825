import { column } from '../../datasets/table/column.ts'
import { COIN_ID, VS_CURRENCY } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'
import {
  CLOSE_OF_DATE,
  deprecatedBucketDate,
  IS_PROVISIONAL,
  PRICE_COLUMNS,
  PRICE_EXPRESSIONS,
} from './price-columns.ts'

export const dailyPrices: AnalystView = {
  name: 'daily_prices',
  description:
    'One row per coin, currency and UTC day: the point nearest after 00:00 UTC, which is the close of close_of_date and the open of the day after it. A row appears as soon as the source has the point, with is_provisional while it may still change. The point comes from the daily series, else from the first hour of the hourly one (see granularity). Join days on close_of_date, which means the same in all views. A day without a point has no row. The moving last point of an answer (is_moving) is left out, because its time is that of the answer.',
  needs: ['market_chart'],
  columns: [
    COIN_ID,
    VS_CURRENCY,
    {
      ...CLOSE_OF_DATE,
      description: 'The UTC day that ends with this price: the day before that of as_of.',
    },
    column(
      'as_of',
      'timestamp',
      'Exact time of the point: soon after 00:00, or much later if the source has no nearer point.',
    ),
    column('granularity', 'string', 'Series the point comes from: 1d or 1h.'),
    ...PRICE_COLUMNS,
    IS_PROVISIONAL,
    deprecatedBucketDate('close_of_date + 1, the day that starts with this price'),
  ],
  // epoch_us is the same in every session zone, unlike a cast to DATE.
  sql: `SELECT coin_id, vs_currency, bucket_date - 1 AS close_of_date, ts AS as_of, granularity,
  ${PRICE_EXPRESSIONS}, is_provisional, bucket_date
FROM main.market_chart
WHERE NOT is_moving
  AND (granularity = '1d' OR (granularity = '1h' AND epoch_us(bucket_at) % 86400000000 = 0))
QUALIFY row_number() OVER (
  PARTITION BY coin_id, vs_currency, bucket_date ORDER BY granularity = '1d' DESC, ts) = 1`,
}

export const hourlyPrices: AnalystView = {
  name: 'hourly_prices',
  description:
    'One row per coin, currency and UTC hour: the first hourly point of that hour, as in daily_prices; a second one is in market_chart alone. A row appears as soon as the source has the point, with is_provisional while it may still change. Join coins on bucket_at, not on as_of, because points jitter by minutes. An hour without a point has no row. The moving last point of an answer (is_moving) is left out, because its time is that of the answer.',
  needs: ['market_chart'],
  columns: [
    COIN_ID,
    VS_CURRENCY,
    column('bucket_at', 'timestamp', 'Start of the hour; the same instant for every coin.'),
    column(
      'bucket_date',
      'date',
      'UTC day of bucket_at, which the daily views call close_of_date.',
    ),
    column('as_of', 'timestamp', 'Exact time of the point that was chosen.'),
    ...PRICE_COLUMNS,
    IS_PROVISIONAL,
  ],
  sql: `SELECT coin_id, vs_currency, bucket_at, bucket_date, ts AS as_of, ${PRICE_EXPRESSIONS}, is_provisional
FROM main.market_chart
WHERE granularity = '1h' AND NOT is_moving
QUALIFY row_number() OVER (
  PARTITION BY coin_id, vs_currency, bucket_at, bucket_date ORDER BY ts) = 1`,
}
