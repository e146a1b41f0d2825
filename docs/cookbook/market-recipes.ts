import type { Recipe } from './recipe.ts'

/** Listings, exchanges, currencies and the market as a whole. */
export const marketRecipes: readonly Recipe[] = [
  {
    question: 'What are the largest coins right now?',
    note: 'A market cap of 0 means unknown: `latest_markets` has NULL there, which sorts last.',
    sql: `SELECT market_cap_rank AS rank, coin_id, round(current_price, 4) AS price,
  round(market_cap / 1e9, 2) AS market_cap_billions
FROM latest_markets
WHERE vs_currency = 'usd'
ORDER BY market_cap DESC NULLS LAST, coin_id
LIMIT 5`,
  },
  {
    question: 'What were the largest coins on a day in the past?',
    note: 'From the last listing of that day, never from the ranks of today. A day without one has no answer.',
    sql: `WITH listed AS (
  SELECT observed_date, market_cap_rank AS rank, coin_id
  FROM coin_markets
  WHERE vs_currency = 'usd' AND observed_date = (SELECT min(observed_date) FROM coin_markets)
  QUALIFY row_number() OVER (PARTITION BY coin_id ORDER BY observed_at DESC) = 1
)
SELECT * FROM listed WHERE rank <= 3
ORDER BY rank, coin_id`,
  },
  {
    question: 'How has the market share of a coin moved?',
    note: 'Among the coins of the warehouse. Of the whole market `dominance` tells, from the first observation of `global_market` on.',
    sql: `SELECT close_of_date, round(100 * share_of_coins, 2) AS share_percent, coins
FROM market_share
WHERE coin_id = 'bitcoin' AND vs_currency = 'usd' AND close_of_date = last_day(close_of_date)
ORDER BY close_of_date DESC
LIMIT 4`,
  },
  {
    question: 'Which coins can be confused by their symbol?',
    note: 'Symbols are shared, empty, or words like null: join on `coin_id`.',
    sql: `SELECT symbol, list(coin_id ORDER BY coin_id) AS coin_ids
FROM (SELECT DISTINCT coin_id, symbol FROM coins)
GROUP BY symbol
HAVING count(*) > 1 OR symbol IN ('', 'null', 'true')
ORDER BY symbol
LIMIT 5`,
  },
  {
    question: 'Where is most traded, and how tight are the spreads there?',
    note: 'Without stale pairs and anomalies, which are counted.',
    sql: `SELECT exchange_id, pairs, left_out, round(volume_24h_usd / 1e9, 3) AS volume_billions,
  round(median_spread_percent, 4) AS median_spread_percent
FROM volume_by_exchange
QUALIFY row_number() OVER (PARTITION BY exchange_id ORDER BY observed_at DESC) = 1
ORDER BY volume_24h_usd DESC, exchange_id
LIMIT 4`,
  },
  {
    question: 'How far apart are the exchanges on one pair?',
    note: 'In hundredths of a percent from the mean of all exchanges, each as last observed: `latest_exchange_tickers` takes the newest `observed_at` of each.',
    sql: `SELECT exchange_id, round(last, 2) AS last,
  round(10000 * (last / avg(last) OVER () - 1), 1) AS basis_points
FROM latest_exchange_tickers
WHERE base = 'BTC' AND target = 'USDT'
ORDER BY last DESC, exchange_id`,
  },
  {
    question: 'What is one currency worth in another?',
    note: 'By way of BTC, as of the newest observation; there is no past before the first sync.',
    sql: `SELECT from_currency, to_currency, round(rate, 3) AS rate
FROM cross_rates
WHERE from_currency = 'eur' AND to_currency IN ('usd', 'jpy', 'gbp')
  AND observed_at = (SELECT max(observed_at) FROM exchange_rates)
ORDER BY to_currency`,
  },
  {
    question: 'Which categories are the largest, and who leads them?',
    note: 'Caps of categories are in USD and overlap: a coin is in several.',
    sql: `SELECT category_id, round(market_cap / 1e9, 2) AS market_cap_billions, coin_id AS leader
FROM latest_category_markets
LEFT JOIN latest_category_top_coins AS top USING (category_id)
WHERE coalesce(top.ordinal, 0) = 0
ORDER BY market_cap DESC NULLS LAST, category_id
LIMIT 4`,
  },
  {
    question: 'Where do perpetual contracts stand above the spot price?',
    note: 'The basis in percent of the index, largest contracts first.',
    sql: `SELECT market_name, symbol, round(100 * (price / index_price - 1), 3) AS basis_percent, funding_rate
FROM latest_derivative_tickers
WHERE contract_type = 'perpetual' AND open_interest_usd IS NOT NULL
ORDER BY open_interest_usd DESC, market_name, symbol
LIMIT 4`,
  },
  {
    question: 'How large is the whole market, in several currencies?',
    note: 'Sums of the source over all coins that it lists, by the last observation of each day.',
    sql: `SELECT observed_date, vs_currency, round(total_market_cap / 1e9, 1) AS market_cap_billions,
  round(100 * total_volume / total_market_cap, 2) AS turnover_percent
FROM global_market_by_currency
QUALIFY row_number() OVER (PARTITION BY observed_date, vs_currency ORDER BY observed_at DESC) = 1
ORDER BY observed_date DESC, vs_currency
LIMIT 4`,
  },
]
