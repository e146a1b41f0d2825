import type { Column } from '../dataset.ts'
import { amount, columnsOf, time, type RecordField } from '../record/record-field.ts'

const CUR = 'vs_currency'

/**
 * The fields of an entry in one currency. The source has all currencies of an entry in one object: `usd`,
 * `usd_24h_vol`, `eur`. The time comes only once.
 */
export const QUOTE_FIELDS: readonly RecordField[] = [
  amount(
    'price',
    CUR,
    'Latest price with all decimals that the source has; NULL where it sent null or no price in this currency.',
  ),
  amount('market_cap', CUR, 'Price times circulating supply. 0 means unknown.'),
  amount(
    '24h_vol',
    CUR,
    'Volume traded in the 24 hours before: a rolling figure, not to be summed over observations closer than a day.',
    'volume_24h',
  ),
  amount(
    '24h_change',
    'percent',
    'Change of the price over 24 hours; 1.5 means 1.5 %. It depends on vs_currency. NULL for prices that have not changed for long.',
    'price_change_percentage_24h',
  ),
  time(
    'last_updated_at',
    'last_updated_at',
    'epoch_s',
    'When the source last worked the price out, whole seconds. Old means stale.',
  ),
]

export const QUOTE_COLUMNS: readonly Column[] = columnsOf(QUOTE_FIELDS)

export const QUOTE_PARAMS = {
  include_market_cap: 'true',
  include_24hr_vol: 'true',
  include_24hr_change: 'true',
  include_last_updated_at: 'true',
  precision: 'full',
}

/** More currencies than the source has. */
export const CURRENCIES_PER_SLICE = 80

/** The key of a currency's field in an entry: `24h_vol` of usd is `usd_24h_vol`. All currencies share the time. */
export function quoteKey(currency: string, key: string): string {
  if (key === 'last_updated_at') return key
  return key === 'price' ? currency : `${currency}_${key}`
}
