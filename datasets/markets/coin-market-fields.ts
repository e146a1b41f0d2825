import { COIN_ID } from '../table/common-columns.ts'
import { amount, count, field, text, time, type RecordField, json } from '../record/record-field.ts'

const CUR = 'vs_currency'

export const WORTH: readonly RecordField[] = [
  amount('current_price', CUR, 'Price of one coin.'),
  amount('market_cap', CUR, 'Price times circulating supply. 0 means unknown.'),
]

export const VALUATION: readonly RecordField[] = [
  amount('fully_diluted_valuation', CUR, 'Price times the greatest possible supply.'),
  amount(
    'total_volume',
    CUR,
    'Volume traded in the 24 hours before: a rolling figure, not to be summed over observations closer than a day.',
  ),
  amount('high_24h', CUR, 'Highest price of the last 24 hours.'),
  amount('low_24h', CUR, 'Lowest price of the last 24 hours.'),
]

export const EXTREMES: readonly RecordField[] = [
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
]

export const ROI: readonly RecordField[] = [
  amount('roi.times', 'times', 'Return since the public sale, as a multiple; NULL for most coins.'),
  text('roi.currency', 'Currency of the return since the public sale: btc, eth or usd.'),
  amount('roi.percentage', 'percent', 'Return since the public sale.'),
]

export const RANK = count(
  'market_cap_rank',
  null,
  'Rank by market cap from 1. NULL for unranked coins and, since February 2026, for wrapped and staked tokens.',
)
export const RANK_WITH_WRAPPED = count(
  'market_cap_rank_with_rehypothecated',
  null,
  'Rank by market cap with wrapped and staked tokens counted.',
)

export const SUPPLY: readonly RecordField[] = [
  amount('total_supply', 'coins', 'Coins that exist; NULL when unknown.'),
  amount(
    'max_supply',
    'coins',
    'Most coins that can ever exist; NULL when there is no limit or none is known.',
  ),
]

export function priceChanges(frames: Readonly<Record<string, string>>): RecordField[] {
  return Object.entries(frames).map(([frame, words]) =>
    amount(
      `price_change_percentage_${frame}_in_currency`,
      'percent',
      `Change of the price over the last ${words}, in vs_currency; 1.5 means 1.5 %.`,
    ),
  )
}

/** The periods of price changes in words. Details have all of them. */
export const FRAMES = {
  '1h': 'hour',
  '24h': '24 hours',
  '7d': '7 days',
  '14d': '14 days',
  '30d': '30 days',
  '60d': '60 days',
  '200d': '200 days',
  '1y': 'year',
}
const { '60d': _, ...LISTED_FRAMES } = FRAMES

/** The fields of one coin. Nearly every value can be null. */
export const COIN_MARKET_FIELDS: readonly RecordField[] = [
  field('id', COIN_ID),
  text(
    'symbol',
    'Ticker symbol at that moment, lower case. Never join on it: it is not unique (more than 70 coins share one), may be empty, and can be a word like null or true.',
  ),
  text('name', 'Display name at that moment.'),
  text('image', 'URL of the logo; can be a bare file name when there is none.'),
  ...WORTH,
  RANK,
  ...VALUATION,
  amount('price_change_24h', CUR, 'Price minus the price 24 hours before.'),
  amount(
    'price_change_percentage_24h',
    'percent',
    'Change of the price over 24 hours; 1.5 means 1.5 %. It depends on vs_currency.',
  ),
  amount('market_cap_change_24h', CUR, 'Market cap minus the market cap 24 hours before.'),
  amount(
    'market_cap_change_percentage_24h',
    'percent',
    'Change of the market cap over 24 hours; 1.5 means 1.5 %.',
  ),
  amount('circulating_supply', 'coins', 'Coins in circulation.'),
  ...SUPPLY,
  ...EXTREMES,
  ...ROI,
  time(
    'last_updated',
    'last_updated_at',
    'millis',
    'When the source last computed these values. Old means stale, whatever observed_at says.',
  ),
  RANK_WITH_WRAPPED,
  json(
    'sparkline_in_7d',
    'JSON object {"price": [...]}: about 168 prices of the last 7 days without times. coinlake does not ask for it, because market_chart has the prices with their times.',
    'vs_currency',
  ),
  ...priceChanges(LISTED_FRAMES),
]
