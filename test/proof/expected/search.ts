import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, items, observed, text, sketch } from './json-columns.ts'

const RESULT = sketch({
  VARCHAR: 'name api_symbol symbol market_type thumb large',
  BIGINT: 'market_cap_rank',
})

const LISTS = {
  coin: 'coins',
  exchange: 'exchanges',
  ico: 'icos',
  category: 'categories',
  nft: 'nfts',
}

/** How long a list of the body is; none is no list. */
function length(key: string): string {
  return `coalesce(json_array_length(j->'$.${key}'), 0)::BIGINT`
}

export function search(asked: AskedFor): ExpectedTable[] {
  const common = `${text(asked.entity)} AS query, ${observed(asked)}`
  const rows = `query = ${text(asked.entity)}`
  const counts = Object.entries(LISTS).map(([kind, key]) => `${length(key)} AS ${kind}_count`)
  const results = Object.entries(LISTS).map(
    ([kind, key]) => `SELECT ${common}, '${kind}' AS kind, place AS ordinal,
  -- A number for a category in older answers.
  coalesce(j->>'$.id', '') AS result_id, ${fromJson(RESULT)}
  FROM ${items(`$.${key}`)}`,
  )
  return [
    {
      table: 'searches',
      key: ['query'],
      rows,
      sql: `SELECT ${common}, ${counts.join(', ')} FROM ${BODY}`,
    },
    {
      table: 'search_results',
      key: ['kind', 'ordinal'],
      rows,
      sql: results.join('\nUNION ALL '),
    },
  ]
}

const COIN = sketch({
  VARCHAR: 'coin_id=id name symbol thumb small large slug sparkline=data.sparkline',
  BIGINT: 'coin_number=coin_id market_cap_rank score',
  DOUBLE: 'price_btc',
  EITHER: 'price_usd=data.price',
  DECIMAL: `data_price_btc=data.price_btc market_cap_btc=data.market_cap_btc
      total_volume_btc=data.total_volume_btc`,
  DISPLAY: 'market_cap_usd=data.market_cap total_volume_usd=data.total_volume',
  JSON: 'content=data.content',
})

const NFT = sketch({
  VARCHAR: 'nft_id=id name symbol thumb native_currency_symbol sparkline=data.sparkline',
  BIGINT: 'nft_contract_id',
  DOUBLE: 'floor_price_in_native_currency floor_price_24h_percentage_change',
  DISPLAY: `floor_price=data.floor_price volume_24h=data.h24_volume
      average_sale_price_24h=data.h24_average_sale_price`,
  DECIMAL: `
      floor_price_usd_24h_percentage_change=data.floor_price_in_usd_24h_percentage_change`,
  JSON: 'content=data.content',
})

const CATEGORY = sketch({
  BIGINT: 'category_number=id',
  VARCHAR: 'name slug sparkline=data.sparkline',
  DOUBLE: `market_cap_1h_change market_cap_usd=data.market_cap
      market_cap_btc=data.market_cap_btc total_volume_usd=data.total_volume
      total_volume_btc=data.total_volume_btc`,
  WHOLE: 'coins_count',
  JSON: 'top_3_coins_images',
})

export function trending(asked: AskedFor): ExpectedTable[] {
  const at = observed(asked)
  const coin = `(SELECT j->'$.item' AS j, place FROM ${items('$.coins')})`
  const changes = (from: string, id: string, path: string, column: string): string =>
    `SELECT ${at}, ${id}, entry.key AS vs_currency, (entry.value)::DOUBLE AS ${column}
  FROM ${from}, json_each(coalesce(j->'${path}', '{}'::JSON)) AS entry WHERE entry.key IS NOT NULL`
  return [
    {
      table: 'trending_lists',
      key: [],
      json: ['exchanges'],
      sql: `SELECT ${at}, ${length('coins')} AS coin_count, ${length('nfts')} AS nft_count,
  ${length('categories')} AS category_count, ${fromJson([['exchanges', 'JSON']])} FROM ${BODY}`,
    },
    {
      table: 'trending_coins',
      key: ['coin_id'],
      json: ['content'],
      sql: `SELECT ${at}, place AS ordinal, ${fromJson(COIN)} FROM ${coin}`,
    },
    {
      table: 'trending_coin_changes',
      key: ['coin_id', 'vs_currency'],
      sql: changes(
        coin,
        "j->>'$.id' AS coin_id",
        '$.data.price_change_percentage_24h',
        'price_change_percentage_24h',
      ),
    },
    {
      table: 'trending_nfts',
      key: ['nft_id'],
      json: ['content'],
      sql: `SELECT ${at}, place AS ordinal, ${fromJson(NFT)} FROM ${items('$.nfts')}`,
    },
    {
      table: 'trending_categories',
      key: ['category_number'],
      json: ['top_3_coins_images'],
      sql: `SELECT ${at}, place AS ordinal, ${fromJson(CATEGORY)} FROM ${items('$.categories')}`,
    },
    {
      table: 'trending_category_changes',
      key: ['category_number', 'vs_currency'],
      sql: changes(
        items('$.categories'),
        "(j->'$.id')::BIGINT AS category_number",
        '$.data.market_cap_change_percentage_24h',
        'market_cap_change_percentage_24h',
      ),
    },
  ]
}
