/** A question an analyst would ask, with the SQL that answers it on the published DuckDB file. */
export interface DemoQuestion {
  title: string
  sql: string
  /** `line`: the second column drawn over the first; `table`: rows as they are. */
  show: 'line' | 'table'
}

export const demoQuestions: readonly DemoQuestion[] = [
  {
    title: 'How did bitcoin do over the last 64 days?',
    show: 'line',
    sql: `SELECT as_of, price
FROM daily_prices
WHERE coin_id = 'bitcoin' AND vs_currency = 'usd'
ORDER BY as_of DESC
LIMIT 64`,
  },
  {
    title: 'Which coins moved most over 30 days?',
    show: 'table',
    sql: `WITH last AS (SELECT max(as_of) AS day FROM daily_prices)
SELECT coin_id, format('{:.4g}', past.price) AS price_30d_ago,
       format('{:.4g}', today.price) AS price,
       round(100 * (today.price / past.price - 1), 1) AS change_percent
FROM daily_prices AS today
JOIN daily_prices AS past USING (coin_id, vs_currency), last
WHERE vs_currency = 'usd' AND today.as_of = last.day
  AND past.as_of = last.day - INTERVAL 30 DAY
ORDER BY abs(change_percent) DESC
LIMIT 8`,
  },
  {
    title: 'How far apart are the exchanges on BTC/USDT?',
    show: 'table',
    sql: `SELECT exchange_id, round(last, 2) AS last,
       round(10000 * (last / avg(last) OVER () - 1), 2) AS basis_points_from_mean,
       bid_ask_spread_percentage AS spread_percent
FROM exchange_tickers
WHERE base = 'BTC' AND target = 'USDT' AND NOT is_stale AND NOT is_anomaly
ORDER BY last DESC
LIMIT 8`,
  },
  {
    title: 'What is covered?',
    show: 'table',
    sql: `SELECT dataset, granularity, state, count(DISTINCT entity) AS entities,
       min(from_at)::DATE AS from_date, max(to_at)::DATE AS to_date
FROM coverage
GROUP BY ALL
ORDER BY dataset, state`,
  },
]
