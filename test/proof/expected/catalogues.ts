import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { fromJson, items, itemsOf, observed, seenOnce, sketch } from './json-columns.ts'

const PLATFORM = sketch({
  VARCHAR: `platform_id=id name shortname native_coin_id image_thumb=image.thumb
      image_small=image.small image_large=image.large`,
  BIGINT: 'chain_identifier',
})

const CATEGORY_MARKET = sketch({
  VARCHAR: 'category_id=id name content',
  DOUBLE: 'market_cap market_cap_change_percentage_24h=market_cap_change_24h volume_24h',
  TIMESTAMPTZ: 'updated_at',
})

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
