import type { Recipe } from './recipe.ts'

/** Prices, candles, and what follows from them. */
export const priceRecipes: readonly Recipe[] = [
  {
    question: 'What did a coin cost at the end of each month?',
    note: 'A daily point at 00:00 UTC is the close of the day before, which `close_of_date` names.',
    sql: `SELECT close_of_date, round(price, 2) AS close
FROM daily_prices
WHERE coin_id = 'bitcoin' AND vs_currency = 'usd'
  AND close_of_date = last_day(close_of_date)
ORDER BY close_of_date DESC
LIMIT 6`,
  },
  {
    question: 'Which coins moved most over 30 days?',
    note: 'Both ends are points of `daily_prices`, so nothing that still moves takes part.',
    sql: `WITH newest AS (SELECT max(close_of_date) AS day FROM daily_prices)
SELECT now.coin_id, round(100 * (now.price / past.price - 1), 1) AS change_percent
FROM daily_prices AS now
JOIN daily_prices AS past USING (coin_id, vs_currency)
JOIN newest ON now.close_of_date = day AND past.close_of_date = day - 30
WHERE vs_currency = 'usd'
ORDER BY abs(change_percent) DESC, coin_id
LIMIT 6`,
  },
  {
    question: 'What would 100 USD a month, bought when a month ends, be worth today?',
    note: 'By the last close of each month; fees are not in the data.',
    sql: `WITH bought AS (
  SELECT coin_id, sum(100 / price) AS coins, 100 * count(*) AS paid_usd
  FROM daily_prices
  WHERE vs_currency = 'usd' AND close_of_date = last_day(close_of_date)
  GROUP BY coin_id
), today AS (
  SELECT coin_id, arg_max(price, close_of_date) AS price
  FROM daily_prices WHERE vs_currency = 'usd' GROUP BY coin_id
)
SELECT coin_id, paid_usd, round(coins * price, 2) AS worth_usd
FROM bought JOIN today USING (coin_id)
WHERE coin_id IN ('bitcoin', 'ethereum')
ORDER BY coin_id`,
  },
  {
    question: 'How far below its highest price so far has a coin been?',
    note: 'The drawdown from the running maximum; the worst day of each coin.',
    sql: `WITH series AS (
  SELECT coin_id, close_of_date, price,
    max(price) OVER (PARTITION BY coin_id ORDER BY close_of_date) AS peak
  FROM daily_prices WHERE vs_currency = 'usd'
)
SELECT coin_id, arg_min(close_of_date, price / peak) AS worst_day,
  round(100 * (min(price / peak) - 1), 1) AS drawdown_percent
FROM series
GROUP BY coin_id
ORDER BY drawdown_percent, coin_id
LIMIT 5`,
  },
  {
    question: 'How volatile is each coin now, and half a year ago?',
    note: '`volatility` is NULL where its 30 days hold less than 20 returns.',
    sql: `WITH newest AS (SELECT max(close_of_date) AS day FROM volatility)
SELECT coin_id,
  round(max(volatility_30d_annualised) FILTER (close_of_date = day), 3) AS now,
  round(max(volatility_30d_annualised) FILTER (close_of_date = day - 180), 3) AS half_a_year_ago
FROM volatility, newest
WHERE vs_currency = 'usd'
GROUP BY coin_id
ORDER BY now DESC, coin_id
LIMIT 5`,
  },
  {
    question: 'Which coins move like bitcoin, and which do not?',
    note: 'Correlation of daily log returns over 90 days.',
    sql: `SELECT other_coin_id, days, round(correlation_90d, 3) AS correlation
FROM correlation
WHERE coin_id = 'bitcoin' AND vs_currency = 'usd' AND other_coin_id <> coin_id
ORDER BY correlation DESC, other_coin_id
LIMIT 6`,
  },
  {
    question: "What was a day's range, hour by hour?",
    note: 'Joins two coins on `bucket_at`: their exact times (`as_of`) never meet.',
    sql: `SELECT extract(hour FROM btc.bucket_at AT TIME ZONE 'UTC') AS hour_utc,
  round(btc.price, 0) AS btc_usd, round(eth.price / btc.price, 6) AS eth_in_btc
FROM hourly_prices AS btc
JOIN hourly_prices AS eth USING (bucket_at, vs_currency)
WHERE btc.coin_id = 'bitcoin' AND eth.coin_id = 'ethereum' AND vs_currency = 'usd'
  AND btc.bucket_date = (SELECT max(bucket_date) - 1 FROM hourly_prices)
ORDER BY btc.bucket_at
LIMIT 6`,
  },
  {
    question: 'At which hour of the day does the price move most?',
    note: 'Absolute hourly changes, averaged by UTC hour.',
    sql: `WITH moves AS (
  SELECT coin_id, bucket_at, abs(price / lag(price) OVER series - 1) AS move
  FROM hourly_prices
  WHERE vs_currency = 'usd' AND coin_id = 'bitcoin'
  WINDOW series AS (PARTITION BY coin_id ORDER BY bucket_at)
)
SELECT extract(hour FROM bucket_at AT TIME ZONE 'UTC') AS hour_utc,
  round(100 * avg(move), 3) AS mean_move_percent
FROM moves
GROUP BY hour_utc
ORDER BY mean_move_percent DESC, hour_utc
LIMIT 4`,
  },
  {
    question: 'What are the daily candles of the last week, and what do hourly prices say of them?',
    note: '`daily_ohlc` is put together from 4-hour candles; `covered_hours` below 24 means a day is not whole. `candles` are of hourly prices and of any width; they miss the moves within an hour.',
    sql: `SELECT close_of_date, round(source.open, 0) AS open, round(source.high, 0) AS high, round(source.low, 0) AS low,
  round(source.close, 0) AS close, source.covered_hours, round(hourly.high, 0) AS hourly_high, round(hourly.low, 0) AS hourly_low
FROM daily_ohlc AS source
JOIN candles(INTERVAL 1 DAY) AS hourly USING (coin_id, vs_currency, close_of_date)
WHERE coin_id = 'bitcoin' AND vs_currency = 'usd'
ORDER BY close_of_date DESC
LIMIT 5`,
  },
  {
    question: 'Which days are missing in a daily series?',
    note: 'The grid of days against what is there. The ledger says why: see the view `coverage`.',
    sql: `WITH bounds AS (
  SELECT coin_id, min(close_of_date) AS first, max(close_of_date) AS last, count(*) AS days
  FROM daily_prices WHERE vs_currency = 'usd' GROUP BY coin_id
)
SELECT coin_id, first, last, last - first + 1 - days AS missing_days
FROM bounds
ORDER BY missing_days DESC, coin_id
LIMIT 4`,
  },
]
