import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { fromJson, items, itemsOf, observed, seenOnce, type Sketch } from './json-columns.ts'

const PLATFORM: Sketch = [
  ['platform_id', 'VARCHAR', 'id'],
  ['chain_identifier', 'BIGINT'],
  ['name', 'VARCHAR'],
  ['shortname', 'VARCHAR'],
  ['native_coin_id', 'VARCHAR'],
  ['image_thumb', 'VARCHAR', 'image.thumb'],
  ['image_small', 'VARCHAR', 'image.small'],
  ['image_large', 'VARCHAR', 'image.large'],
]

const CATEGORY_MARKET: Sketch = [
  ['category_id', 'VARCHAR', 'id'],
  ['name', 'VARCHAR'],
  ['market_cap', 'DOUBLE'],
  ['market_cap_change_percentage_24h', 'DOUBLE', 'market_cap_change_24h'],
  ['content', 'VARCHAR'],
  ['volume_24h', 'DOUBLE'],
  ['updated_at', 'TIMESTAMPTZ'],
]

export function assetPlatforms(asked: AskedFor): ExpectedTable[] {
  const seen = `${seenOnce(asked)}, place AS list_ordinal`
  return [
    {
      table: 'asset_platforms',
      key: ['platform_id'],
      sql: `SELECT ${fromJson(PLATFORM)}, ${seen} FROM ${items('$')}`,
    },
    {
      // Asked for with a filter, which recordings answer with the whole list.
      table: 'nft_platforms',
      key: ['platform_id'],
      sql: `SELECT j->>'$.id' AS platform_id, ${seen} FROM ${items('$')}`,
    },
  ]
}

export function categories(asked: AskedFor): ExpectedTable[] {
  return [
    {
      table: 'categories',
      key: ['category_id'],
      sql: `SELECT j->>'$.category_id' AS category_id, j->>'$.name' AS name, ${seenOnce(asked)},
  place AS list_ordinal FROM ${items('$')}`,
    },
  ]
}

export function categoryMarkets(asked: AskedFor): ExpectedTable[] {
  const top = (key: string): string => itemsOf(`j->'$.${key}'`, items('$'), "j->>'$.id'")
  return [
    {
      table: 'category_markets',
      key: ['category_id'],
      sql: `SELECT ${observed(asked)}, place AS ordinal, ${fromJson(CATEGORY_MARKET)} FROM ${items('$')}`,
    },
    {
      table: 'category_top_coins',
      key: ['category_id', 'ordinal'],
      sql: `SELECT ${observed(asked)}, id AS category_id, place AS ordinal,
  ids.j->>'$' AS coin_id, images.j->>'$' AS image
  FROM ${top('top_3_coins_id')} AS ids FULL JOIN ${top('top_3_coins')} AS images USING (id, place)`,
    },
  ]
}
