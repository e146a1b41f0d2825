import { column } from '../../datasets/table/column.ts'
import { EXCHANGE_ID, OBSERVED_AT, OBSERVED_DATE } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'

export const volumeByExchange: AnalystView = {
  name: 'volume_by_exchange',
  description:
    'One row per exchange and observation: volume and spread over its pairs. Pairs that the source marks as stale or as an anomaly are left out, and counted in left_out.',
  needs: ['exchange_tickers'],
  columns: [
    EXCHANGE_ID,
    OBSERVED_AT,
    OBSERVED_DATE,
    column('pairs', 'integer', 'Number of pairs in the figures.'),
    column(
      'left_out',
      'integer',
      'Number of pairs that are left out because they are is_stale or is_anomaly.',
    ),
    column(
      'volume_24h_usd',
      'double',
      'Sum over the pairs of the last 24 hours: a rolling figure, so never add two observations.',
      'USD',
    ),
    column('volume_24h_btc', 'double', 'The same in BTC, by the rates of the source.', 'BTC'),
    column(
      'median_spread_percent',
      'double',
      'Half of the pairs have a smaller distance of bid and ask; 0.01 means 0.01 %.',
      'percent',
    ),
  ],
  sql: `SELECT exchange_id, observed_at, observed_date,
  count(*) FILTER (good) AS pairs, count(*) FILTER (NOT good) AS left_out,
  sum(converted_volume_usd) FILTER (good) AS volume_24h_usd,
  sum(converted_volume_btc) FILTER (good) AS volume_24h_btc,
  median(bid_ask_spread_percentage) FILTER (good) AS median_spread_percent
FROM (
  SELECT *, is_stale IS NOT TRUE AND is_anomaly IS NOT TRUE AS good FROM main.exchange_tickers
)
GROUP BY exchange_id, observed_at, observed_date`,
}
