import type { AnalystMacro } from './analyst-view.ts'
import { hourlyPrices } from './prices.ts'

/**
 * Candles of any number of hours. A candle closes with the price at its end, which opens the next one. So closes equal
 * those of daily_prices, and no move falls between two candles.
 */
export const candles: AnalystMacro = {
  name: 'candles',
  description:
    "One row per coin, currency and span as long as `width`: open, high, low and close of the hourly points from its start to its end, both included; moves within an hour do not show. `FROM candles(INTERVAL 4 HOURS) WHERE coin_id = 'bitcoin' AND vs_currency = 'usd'`; width is in whole hours, days, weeks (from Monday) or months, by UTC. A candle with fewer covered_hours than its span is not complete. close_of_date is the UTC day in which the span ends. Of a file attached as x: `FROM x.candles(INTERVAL 1 DAY, db := 'x')`.",
  needs: hourlyPrices.needs,
  parameters: "width, db := 'main'",
  sql: `SELECT coin_id, vs_currency, span AT TIME ZONE 'UTC' AS bucket_at,
  (span + width::INTERVAL - INTERVAL 1 MICROSECOND)::DATE AS close_of_date,
  arg_min(price, hour_at) AS open, max(greatest(price, next_price)) AS high,
  min(least(price, next_price)) AS low, arg_max(coalesce(next_price, price), hour_at) AS close,
  count(next_price) AS covered_hours, bool_or(is_provisional) AS is_provisional
FROM (
  SELECT coin_id, vs_currency, bucket_at AS hour_at, price,
    time_bucket(CASE WHEN epoch_us(width::INTERVAL) > 0 AND epoch_us(width::INTERVAL) % 3600000000 = 0
      THEN width::INTERVAL ELSE error('candles: the width must be whole hours, such as INTERVAL 4 HOURS') END, bucket_at AT TIME ZONE 'UTC') AS span,
    lead(bucket_at) OVER series = bucket_at + INTERVAL 1 HOUR AS is_covered,
    CASE WHEN is_covered THEN lead(price) OVER series END AS next_price,
    is_provisional OR coalesce(is_covered AND lead(is_provisional) OVER series, false) AS is_provisional
  FROM query_table(db || '.hourly_prices') WHERE price IS NOT NULL
  WINDOW series AS (PARTITION BY coin_id, vs_currency ORDER BY bucket_at)
)
GROUP BY ALL`,
}
