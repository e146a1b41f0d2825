import { column } from '../../datasets/table/column.ts'
import { COIN_ID, VS_CURRENCY } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'
import { CLOSE_OF_DATE, deprecatedBucketDate, IS_PROVISIONAL } from './price-columns.ts'

/** The source has no daily candles, and four-day candles cannot be cut. */
export const dailyOhlc: AnalystView = {
  name: 'daily_ohlc',
  description:
    'One row per coin, currency and UTC day: one candle made of the closed candles of that day, those of 4 hours, or those of 30 minutes where they cover more of the day. For a day with less than 24 covered_hours open, high, low and close are those of the covered part. is_provisional is true while one of them may still change.',
  needs: ['ohlc'],
  columns: [
    COIN_ID,
    VS_CURRENCY,
    { ...CLOSE_OF_DATE, description: 'The UTC day of the candles, which ends with their close.' },
    column('granularity', 'string', 'Length of the candles that the day is made of: 4h or 30m.'),
    column('open', 'double', 'Open of the first candle.', 'vs_currency'),
    column('high', 'double', 'Highest price of the day.', 'vs_currency'),
    column('low', 'double', 'Lowest price of the day.', 'vs_currency'),
    column('close', 'double', 'Close of the last candle.', 'vs_currency'),
    column('covered_hours', 'double', 'Hours of the day with candles; 24 = all.', 'hours'),
    IS_PROVISIONAL,
    deprecatedBucketDate('close_of_date, the same day'),
  ],
  sql: `SELECT coin_id, vs_currency, ts_date AS close_of_date, granularity,
  arg_min(open, ts) AS open, max(high) AS high, min(low) AS low, arg_max(close, ts) AS close,
  count(*) * CASE granularity WHEN '4h' THEN 4.0::DOUBLE ELSE 0.5::DOUBLE END AS covered_hours,
  bool_or(is_provisional) AS is_provisional, ts_date AS bucket_date
FROM main.ohlc
WHERE NOT is_moving AND granularity IN ('4h', '30m')
GROUP BY coin_id, vs_currency, ts_date, granularity
QUALIFY row_number() OVER (
  PARTITION BY coin_id, vs_currency, ts_date ORDER BY covered_hours DESC, granularity DESC) = 1`,
}
