import type { Column } from '../../datasets/dataset.ts'

/** The one name for a day to join on. The figure of the row is that of the day's close, or ends with it. */
export const CLOSE_OF_DATE: Column = {
  name: 'close_of_date',
  type: 'date',
  unit: 'UTC',
  description: 'The UTC day whose close this is.',
}

/**
 * The deprecated column `bucket_date`: in some views close_of_date, in others the day after. @param replacement SQL
 * over the view
 */
export function deprecatedBucketDate(replacement: string): Column {
  const description = `Deprecated: use ${replacement}. Gone in the next version.`
  return { name: 'bucket_date', type: 'date', unit: 'UTC', description }
}

/** Whether the point of the row is provisional. */
export const IS_PROVISIONAL: Column = {
  name: 'is_provisional',
  type: 'boolean',
  unit: null,
  description:
    'True while the source may still change it, for about an hour; false when it is final.',
}

/** Expressions over market_chart that all price views share, so that the views cannot differ. */
export const PRICE_EXPRESSIONS = `price,
  nullif(market_cap, 0) AS market_cap,
  CASE WHEN total_volume = 0 AND bucket_date < DATE '2014-01-01' THEN NULL ELSE total_volume END
    AS volume_24h`

/** The columns of PRICE_EXPRESSIONS, in order. */
export const PRICE_COLUMNS: readonly Column[] = [
  {
    name: 'price',
    type: 'double',
    unit: 'vs_currency',
    description: 'Price of one coin at as_of.',
  },
  {
    name: 'market_cap',
    type: 'double',
    unit: 'vs_currency',
    description:
      'Market capitalisation at as_of. NULL where the source says 0, which means unknown, as in the weeks after a listing.',
  },
  {
    name: 'volume_24h',
    type: 'double',
    unit: 'vs_currency',
    description:
      'Traded volume of the 24 hours before as_of, a rolling figure: never sum it over points closer than a day. A volume of 0 before 2014 means unknown and is NULL.',
  },
]
