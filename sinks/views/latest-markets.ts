import type { Column } from '../../datasets/dataset.ts'
import { quoteName } from '../../datasets/table/ddl.ts'
import { COIN_MARKETS } from '../../datasets/coin-markets.ts'
import { newestRelation } from '../newest/newest-tables.ts'
import type { AnalystView } from './analyst-view.ts'

/** Columns that tell how the listing was read, or that are no figures. */
const LEFT_OUT = new Set(['ordinal', 'image', 'sparkline_in_7d', '_absent', '_extra'])

/** Columns whose raw value would mislead. */
const REPLACED: Readonly<Record<string, { column: Column; expression: string }>> = {
  market_cap: {
    column: {
      name: 'market_cap',
      type: 'double',
      unit: 'vs_currency',
      description: 'Price times circulating supply. NULL where the source says 0: unknown.',
    },
    expression: 'nullif(market_cap, 0) AS market_cap',
  },
  total_volume: {
    column: {
      name: 'volume_24h',
      type: 'double',
      unit: 'vs_currency',
      description: 'Volume traded in the 24 hours before observed_at, a rolling figure.',
    },
    expression: 'total_volume AS volume_24h',
  },
}

const shown = COIN_MARKETS.columns.filter(({ name }) => !LEFT_OUT.has(name))

/** Each coin's figures in its newest snapshot. */
export const latestMarkets: AnalystView = {
  name: 'latest_markets',
  description:
    'The newest observation of each coin in each currency. A coin that is not listed any more keeps its last row: compare observed_at, and last_updated_at for values that the source itself has stopped updating.',
  needs: [COIN_MARKETS.name],
  columns: shown.map((column) => REPLACED[column.name]?.column ?? column),
  sql: `SELECT ${shown.map(({ name }) => REPLACED[name]?.expression ?? quoteName(name)).join(', ')}
FROM ${newestRelation(COIN_MARKETS)}`,
}
