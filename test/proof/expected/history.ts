import { COMMUNITY, DEVELOPER, IMAGES, PUBLIC_INTEREST } from './popularity.ts'
import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, mapsByKey, text, type Sketch } from './json-columns.ts'

const STATS: Sketch = [
  ['symbol', 'VARCHAR'],
  ['name', 'VARCHAR'],
  ['localization', 'JSON'],
  ...IMAGES,
  ...COMMUNITY,
  ...DEVELOPER,
  ...PUBLIC_INTEREST,
]

const PRICES: Sketch = [
  ['price', 'DOUBLE', 'current_price'],
  ['market_cap', 'DOUBLE'],
  ['total_volume', 'DOUBLE'],
]

/** A day of which nothing is said has no row: no market data, and nothing but nulls in the rest. */
const SAYS_SOMETHING = `json_type(j->'$.market_data') = 'OBJECT' OR EXISTS (
    FROM json_tree(json_object('c', j->'$.community_data', 'd', j->'$.developer_data',
      'p', j->'$.public_interest_stats')) AS node WHERE node.type NOT IN ('OBJECT', 'ARRAY', 'NULL'))`

export function coinHistory({ entity, date }: AskedFor): ExpectedTable[] {
  const common = `${text(entity)} AS coin_id, DATE ${text(date)} AS date,
  TIMESTAMPTZ ${text(`${date}T00:00:00Z`)} AS ts`
  const rows = `coin_id = ${text(entity)}`
  return [
    {
      table: 'coin_history_stats',
      key: ['ts'],
      rows,
      json: ['localization', 'developer_last_4_weeks_commit_activity_series'],
      sql: `SELECT ${common}, ${fromJson(STATS)} FROM ${BODY} WHERE ${SAYS_SOMETHING}`,
    },
    {
      table: 'coin_history',
      key: ['vs_currency'],
      rows,
      sql: `SELECT ${common}, key AS vs_currency, ${fromJson(PRICES)}
  FROM ${mapsByKey("j->'$.market_data'", ['current_price', 'market_cap', 'total_volume'])}`,
    },
  ]
}
