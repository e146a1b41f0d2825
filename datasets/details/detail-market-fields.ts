import { amount, count, field, flag, text, time, type RecordField } from '../record/record-field.ts'

const CUR = 'vs_currency'

/** The periods of price changes, in words. Details have one more than listings (60d). */
const FRAMES = {
  '1h': 'hour',
  '24h': '24 hours',
  '7d': '7 days',
  '14d': '14 days',
  '30d': '30 days',
  '60d': '60 days',
  '200d': '200 days',
  '1y': 'year',
}

/** A field in USD. Its column's name ends in `_usd`, because other columns are in vs_currency. */
function usd(path: string, unit: string, description: string): RecordField {
  return field(path, { name: `${path}_usd`, type: 'double', unit, description })
}

/** The fields of `market_data` that are no maps by currency. */
export const MARKET_SCALARS: readonly RecordField[] = [
  amount('total_value_locked.btc', 'BTC', 'Value locked in the protocol; NULL for most coins.'),
  amount('total_value_locked.usd', 'USD', 'Value locked in the protocol; NULL for most coins.'),
  amount('mcap_to_tvl_ratio', 'ratio', 'Market cap over value locked; NULL for most coins.'),
  amount('fdv_to_tvl_ratio', 'ratio', 'Fully diluted valuation over value locked; NULL for most.'),
  amount('roi.times', 'times', 'Return since the public sale, as a multiple; NULL for most coins.'),
  text('roi.currency', 'Currency of the return since the public sale: btc, eth or usd.'),
  amount('roi.percentage', 'percent', 'Return since the public sale.'),
  amount('market_cap_fdv_ratio', 'ratio', 'Market cap over fully diluted valuation.'),
  field('market_cap_rank', {
    name: 'market_data_market_cap_rank',
    type: 'integer',
    unit: null,
    description: 'The rank again, from market_data.',
  }),
  field('market_cap_rank_with_rehypothecated', {
    name: 'market_data_market_cap_rank_with_rehypothecated',
    type: 'integer',
    unit: null,
    description: 'The rank with wrapped and staked tokens again, from market_data.',
  }),
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
  amount('total_supply', 'coins', 'Coins that exist; NULL when unknown.'),
  amount(
    'max_supply',
    'coins',
    'Most coins that can ever exist; NULL when there is no limit or none is known.',
  ),
  flag('max_supply_infinite', 'Whether there is no limit to the supply.'),
  amount('circulating_supply', 'coins', 'Coins in circulation.'),
  amount('outstanding_supply', 'coins', 'Coins issued and not held back by the project.'),
  time(
    'last_updated',
    'market_data_last_updated_at',
    'millis',
    'When the source last computed the market data. Old means stale, whatever observed_at says.',
  ),
  field('sparkline_7d', {
    type: 'json',
    unit: 'USD',
    description:
      'JSON {"price": [...]}, or the bare array: about 168 prices of the last 7 days without times. coinlake does not ask for it, because market_chart has the prices with their times.',
  }),
]

/** The maps by currency inside `market_data`: one row per currency, one column per map. */
export const CURRENCY_MAPS: readonly RecordField[] = [
  amount('current_price', CUR, 'Price of one coin.'),
  amount('market_cap', CUR, 'Price times circulating supply. 0 means unknown.'),
  amount('fully_diluted_valuation', CUR, 'Price times the greatest possible supply.'),
  amount(
    'total_volume',
    CUR,
    'Volume traded in the 24 hours before: a rolling figure, not to be summed over observations closer than a day.',
  ),
  amount('high_24h', CUR, 'Highest price of the last 24 hours.'),
  amount('low_24h', CUR, 'Lowest price of the last 24 hours.'),
  amount('ath', CUR, 'All-time high of the price.'),
  amount('ath_change_percentage', 'percent', 'Distance of the price from its all-time high.'),
  time('ath_date', 'ath_at', 'millis', 'When the all-time high was reached.'),
  amount('atl', CUR, 'All-time low of the price.'),
  amount(
    'atl_change_percentage',
    'percent',
    'Distance of the price from its all-time low. The value is absurd (1e36) where the low was nearly 0.',
  ),
  time('atl_date', 'atl_at', 'millis', 'When the all-time low was reached.'),
  amount('price_change_24h_in_currency', CUR, 'Price minus the price 24 hours before.'),
  ...Object.entries(FRAMES).map(([frame, words]) =>
    amount(
      `price_change_percentage_${frame}_in_currency`,
      'percent',
      `Change of the price over the last ${words}, in vs_currency; 1.5 means 1.5 %.`,
    ),
  ),
  amount('market_cap_change_24h_in_currency', CUR, 'Market cap minus that of 24 hours before.'),
  amount(
    'market_cap_change_percentage_24h_in_currency',
    'percent',
    'Change of the market cap over 24 hours, in vs_currency; 1.5 means 1.5 %.',
  ),
]

/** Ranks and scores of the coin itself, not of its market. */
export const RANK_FIELDS: readonly RecordField[] = [
  count(
    'market_cap_rank',
    null,
    'Rank by market cap from 1. NULL for unranked coins and, since February 2026, for wrapped and staked tokens.',
  ),
  count(
    'market_cap_rank_with_rehypothecated',
    null,
    'Rank by market cap with wrapped and staked tokens counted.',
  ),
  count('coingecko_rank', null, 'Rank by the score of the source; not sent since December 2023.'),
  ...['coingecko', 'developer', 'community', 'liquidity', 'public_interest'].map((what) =>
    amount(
      `${what}_score`,
      'points',
      `Score of the source (${what.replace('_', ' ')}), best high; not sent since December 2023.`,
    ),
  ),
]
