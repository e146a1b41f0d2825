import { column } from '../../datasets/table/column.ts'
import type { Column } from '../../datasets/dataset.ts'

/** The one name for a day to join on. The row's figure is that of the day's close, or ends with it. */
export const CLOSE_OF_DATE = column('close_of_date', 'date', 'The UTC day whose close this is.')

/**
 * The old column `bucket_date`: close_of_date in some views, the day after in others.
 *
 * @param replacement SQL over the view's columns, and its meaning
 */
export function deprecatedBucketDate(replacement: string): Column {
  const description = `Deprecated: use ${replacement}. Gone in the next version.`
  return column('bucket_date', 'date', description)
}

export const IS_PROVISIONAL = column(
  'is_provisional',
  'boolean',
  'True while the source may still change it, for about an hour; false when it is final.',
)

/** Expressions over market_chart that all price views share. */
export const PRICE_EXPRESSIONS = `price,
  nullif(market_cap, 0) AS market_cap,
  CASE WHEN total_volume = 0 AND bucket_date < DATE '2014-01-01' THEN NULL ELSE total_volume END
    AS volume_24h`

export const PRICE_COLUMNS: readonly Column[] = [
  column('price', 'double', 'Price of one coin at as_of.', 'vs_currency'),
  column(
    'market_cap',
    'double',
    'Market capitalisation at as_of. NULL where the source says 0, which means unknown, as in the weeks after a listing.',
    'vs_currency',
  ),
  column(
    'volume_24h',
    'double',
    'Traded volume of the 24 hours before as_of, a rolling figure: never sum it over points closer than a day. A volume of 0 before 2014 means unknown and is NULL.',
    'vs_currency',
  ),
]
