import { column } from '../../datasets/table/column.ts'
import { GRANULARITY_MS } from '../../api/granularity.ts'
import {
  COIN_ID,
  CONTRACT_ADDRESS,
  PLATFORM_ID,
  VS_CURRENCY,
} from '../../datasets/table/common-columns.ts'
import type { Column, TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { MARKET_CHART } from '../../datasets/market-chart.ts'
import { TOKEN_MARKET_CHART } from '../../datasets/token-market-chart.ts'
import { newestRelation } from '../newest/newest-tables.ts'
import type { AnalystView } from './analyst-view.ts'
import { IS_PROVISIONAL, PRICE_COLUMNS, PRICE_EXPRESSIONS } from './price-columns.ts'

const COLUMNS: readonly Column[] = [
  column(
    'as_of',
    'timestamp',
    'Exact time of the point; long ago for a coin that is no longer listed or fetched.',
  ),
  column(
    'granularity',
    'string',
    'Series of the point; the finer one, if two have a point for as_of.',
  ),
  ...PRICE_COLUMNS,
  IS_PROVISIONAL,
  column(
    'moving_as_of',
    'timestamp',
    'Time of the moving point at the end of the last answer, which is the time of that answer; NULL if it is not later than as_of.',
  ),
  column(
    'moving_price',
    'double',
    'Price of the moving point: the nearest to now, but the next run replaces it. coalesce(moving_price, price) is the last price in any case.',
    'vs_currency',
  ),
]

export const latestPrices = latestOf('latest_prices', 'coin', MARKET_CHART, [COIN_ID, VS_CURRENCY])

export const latestTokenPrices = latestOf('latest_token_prices', 'token', TOKEN_MARKET_CHART, [
  PLATFORM_ID,
  CONTRACT_ADDRESS,
  VS_CURRENCY,
])

function latestOf(
  name: string,
  subject: string,
  history: TableSpec,
  keys: readonly Column[],
): AnalystView {
  const relation = newestRelation(history)
  const own = keys.map((column) => quoteName(column.name)).join(', ')
  // The newest settled and the newest moving point, over all granularities.
  const points = `SELECT * FROM ${relation}
  QUALIFY row_number() OVER (
    PARTITION BY ${own}, is_moving ORDER BY ts DESC, ${rankSql('granularity')}) = 1`
  return {
    name,
    description: `One row per ${subject} and currency: the newest point of ${history.name} over all granularities, as the prices views show it. The moving point at the end of the last answer stands beside it (moving_price). The view reads newest.${history.name}, so it takes a few milliseconds for histories of any length.`,
    needs: [history.name],
    columns: [...keys, ...COLUMNS],
    sql: `WITH points AS (${points}),
newest AS (
  SELECT ${own}, ts AS as_of, granularity, ${PRICE_EXPRESSIONS}, is_provisional
  FROM points WHERE NOT is_moving
)
SELECT newest.*, moving.ts AS moving_as_of, moving.price AS moving_price
FROM newest LEFT JOIN (
  SELECT ${own}, ts, price FROM points WHERE is_moving
) AS moving
  ON ${keys.map((key) => `moving.${quoteName(key.name)} = newest.${quoteName(key.name)}`).join(' AND ')}
  AND moving.ts > newest.as_of`,
  }
}

/** SQL rank of a granularity; 1: the finest. */
function rankSql(column: string): string {
  const finest = Object.entries(GRANULARITY_MS).toSorted(([, a], [, b]) => a - b)
  return `list_position([${finest.map(([name]) => quoteText(name)).join(', ')}], ${column})`
}
