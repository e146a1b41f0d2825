import { column } from '../../datasets/table/column.ts'
import { GLOBAL_MARKET_BY_CURRENCY } from '../../datasets/markets/global-market-tables.ts'
import { COIN_ID, VS_CURRENCY } from '../../datasets/table/common-columns.ts'
import type { AnalystView } from './analyst-view.ts'
import { dailyPrices } from './prices.ts'
import { CLOSE_OF_DATE, IS_PROVISIONAL } from './price-columns.ts'

const MARKET_CAP = column(
  'market_cap',
  'double',
  'Market capitalisation of the coin at the end of close_of_date.',
  'vs_currency',
)

export const marketShare: AnalystView = {
  name: 'market_share',
  description:
    'One row per coin, currency and UTC day with a known market cap: its share in the market cap of all coins that daily_prices has on that day. `dominance` has the share in the whole market, but only from the first observation of global_market on, because the source has no past of it. A coin that is added, or has no cap yet, changes the shares of all others (see coins).',
  needs: dailyPrices.needs,
  columns: [
    COIN_ID,
    VS_CURRENCY,
    CLOSE_OF_DATE,
    MARKET_CAP,
    column('share_of_coins', 'double', 'market_cap / coins_market_cap: 0.5 is half.', 'fraction'),
    column(
      'coins',
      'integer',
      'Coins of the warehouse with a known market cap on that day.',
      'coins',
    ),
    column('coins_market_cap', 'double', 'Sum of their market caps.', 'vs_currency'),
    IS_PROVISIONAL,
  ],
  // Threads add doubles in any order, so the sum has an ORDER BY: equal files give equal shares.
  sql: `SELECT coin_id, vs_currency, close_of_date, market_cap,
  market_cap / coins_market_cap AS share_of_coins, coins, coins_market_cap, is_provisional
FROM main.daily_prices JOIN (
  SELECT vs_currency, close_of_date, count(*) AS coins,
    sum(market_cap ORDER BY market_cap) AS coins_market_cap
  FROM main.daily_prices WHERE market_cap IS NOT NULL GROUP BY vs_currency, close_of_date
) AS day USING (vs_currency, close_of_date)
WHERE market_cap IS NOT NULL`,
}

export const dominance: AnalystView = {
  name: 'dominance',
  description:
    'One row per coin, currency and UTC day with a known market cap, from the first observation of global_market on: its share in the whole market, by the observation nearest to the end of the day, within 12 hours. For earlier days see `market_share`.',
  needs: [...dailyPrices.needs, GLOBAL_MARKET_BY_CURRENCY.name],
  columns: [
    COIN_ID,
    VS_CURRENCY,
    CLOSE_OF_DATE,
    MARKET_CAP,
    column('share_of_market', 'double', 'market_cap / total_market_cap: 0.5 is half.', 'fraction'),
    column(
      'total_market_cap',
      'double',
      'Market cap of all coins that the source lists, as of total_observed_at.',
      'vs_currency',
    ),
    column('total_observed_at', 'timestamp', 'When the source gave total_market_cap.'),
    IS_PROVISIONAL,
  ],
  // From noon to noon the midnight between them is the nearest. epoch_us is independent of the session's time zone.
  sql: `SELECT coin_id, vs_currency, close_of_date, market_cap, market_cap / nullif(total_market_cap, 0) AS share_of_market,
  total_market_cap, total_observed_at, is_provisional
FROM main.daily_prices JOIN (
  SELECT vs_currency, make_timestamp(epoch_us(observed_at) - 43200000000)::DATE AS close_of_date,
    observed_at AS total_observed_at, total_market_cap
  FROM main.${GLOBAL_MARKET_BY_CURRENCY.name}
  QUALIFY row_number() OVER (
    PARTITION BY vs_currency, (epoch_us(observed_at) - 43200000000) // 86400000000
    ORDER BY abs((epoch_us(observed_at) - 43200000000) % 86400000000 - 43200000000), observed_at) = 1
) AS whole USING (vs_currency, close_of_date)
WHERE market_cap IS NOT NULL`,
}
