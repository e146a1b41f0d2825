import {
  EXTREMES,
  FRAMES,
  priceChanges,
  RANK,
  RANK_WITH_WRAPPED,
  ROI,
  SUPPLY,
  VALUATION,
  WORTH,
} from '../markets/coin-market-fields.ts'
import { amount, count, flag, json, time, type RecordField } from '../record/record-field.ts'

const CUR = 'vs_currency'

/** A field in USD. Its column ends in `_usd`, because other columns are in vs_currency. */
function usd(path: string, unit: string, description: string): RecordField {
  return amount(path, unit, description, `${path}_usd`)
}

export const MARKET_SCALARS: readonly RecordField[] = [
  amount('total_value_locked.btc', 'BTC', 'Value locked in the protocol; NULL for most coins.'),
  amount('total_value_locked.usd', 'USD', 'Value locked in the protocol; NULL for most coins.'),
  amount('mcap_to_tvl_ratio', 'ratio', 'Market cap over value locked; NULL for most coins.'),
  amount('fdv_to_tvl_ratio', 'ratio', 'Fully diluted valuation over value locked; NULL for most.'),
  ...ROI,
  amount('market_cap_fdv_ratio', 'ratio', 'Market cap over fully diluted valuation.'),
  count(
    'market_cap_rank',
    null,
    'The rank again, from market_data.',
    'market_data_market_cap_rank',
  ),
  count(
    'market_cap_rank_with_rehypothecated',
    null,
    'The rank with wrapped and staked tokens again, from market_data.',
    'market_data_market_cap_rank_with_rehypothecated',
  ),
  amount('outstanding_token_value_usd', 'USD', 'Price times outstanding supply.'),
  usd('price_change_24h', 'USD', 'Price minus the price 24 hours before.'),
  ...Object.entries(FRAMES)
    .filter(([frame]) => frame !== '1h')
    .map(([frame, words]) =>
      usd(
        `price_change_percentage_${frame}`,
        'percent',
        `Change of the price in USD over the last ${words}; 1.5 means 1.5 %.`,
      ),
    ),
  usd('market_cap_change_24h', 'USD', 'Market cap minus the market cap 24 hours before.'),
  usd(
    'market_cap_change_percentage_24h',
    'percent',
    'Change of the market cap in USD over 24 hours; 1.5 means 1.5 %.',
  ),
  ...SUPPLY,
  flag('max_supply_infinite', 'Whether there is no limit to the supply.'),
  amount('circulating_supply', 'coins', 'Coins in circulation.'),
  amount('outstanding_supply', 'coins', 'Coins issued and not held back by the project.'),
  time(
    'last_updated',
    'market_data_last_updated_at',
    'millis',
    'When the source last computed the market data. Old means stale, whatever observed_at says.',
  ),
  json(
    'sparkline_7d',
    'JSON {"price": [...]}, or the bare array: about 168 prices of the last 7 days without times. coinlake does not ask for it, because market_chart has the prices with their times.',
    'USD',
  ),
]

/** One row per currency, one column per map. */
export const CURRENCY_MAPS: readonly RecordField[] = [
  ...WORTH,
  ...VALUATION,
  ...EXTREMES,
  amount('price_change_24h_in_currency', CUR, 'Price minus the price 24 hours before.'),
  ...priceChanges(FRAMES),
  amount('market_cap_change_24h_in_currency', CUR, 'Market cap minus that of 24 hours before.'),
  amount(
    'market_cap_change_percentage_24h_in_currency',
    'percent',
    'Change of the market cap over 24 hours, in vs_currency; 1.5 means 1.5 %.',
  ),
]

export const RANK_FIELDS: readonly RecordField[] = [
  RANK,
  RANK_WITH_WRAPPED,
  count('coingecko_rank', null, 'Rank by the score of the source; not sent since December 2023.'),
  ...['coingecko', 'developer', 'community', 'liquidity', 'public_interest'].map((what) =>
    amount(
      `${what}_score`,
      'points',
      `Score of the source (${what.replace('_', ' ')}), best high; not sent since December 2023.`,
    ),
  ),
]
