import { lone, observed, snapshot, tableOf } from './expected-table.ts'
import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, items, sketch, text } from './json-columns.ts'

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
  const of = { query: asked.entity }
  const counts = Object.entries(LISTS).map(([kind, key]) => `${length(key)} AS ${kind}_count`)
  const results = Object.entries(LISTS).map(
    ([kind, key]) => `SELECT '${kind}' AS kind, place AS ordinal,
  -- A number for a category in older answers.
  coalesce(j->>'$.id', '') AS result_id, ${fromJson(RESULT)} FROM ${items(`$.${key}`)}`,
  )
  return [
    tableOf('searches', { key: 'query', of, select: [observed(asked), ...counts], from: BODY }),
    tableOf('search_results', {
      key: 'kind ordinal',
      of,
      select: [observed(asked), '*'],
      from: `(${results.join('\nUNION ALL ')})`,
    }),
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
  const coins = `(SELECT j->'$.item' AS j, place FROM ${items('$.coins')})`
  const [nfts, categories] = [items('$.nfts'), items('$.categories')]
  const changes = (table: string, from: string, id: string, map: string): ExpectedTable =>
    tableOf(table, {
      key: `${id.split(' ').at(-1)} vs_currency`,
      select: [observed(asked), id, `entry.key AS vs_currency, (entry.value)::DOUBLE AS ${map}`],
      from: `${from}, json_each(coalesce(j->'$.data.${map}', '{}'::JSON)) AS entry
  WHERE entry.key IS NOT NULL`,
    })
  const counts = ['coin coins', 'nft nfts', 'category categories'].map((pair) => {
    const [name = '', key = ''] = pair.split(' ')
    return `${length(key)} AS ${name}_count`
  })
  const key = (column: string, from: string, json: string) => ({ key: column, from, json })
  return [
    lone(asked, 'trending_lists', sketch({ JSON: 'exchanges' }), {
      select: counts,
      json: 'exchanges',
    }),
    snapshot(asked, 'trending_coins', COIN, key('coin_id', coins, 'content')),
    changes('trending_coin_changes', coins, "j->>'$.id' AS coin_id", 'price_change_percentage_24h'),
    snapshot(asked, 'trending_nfts', NFT, key('nft_id', nfts, 'content')),
    snapshot(
      asked,
      'trending_categories',
      CATEGORY,
      key('category_number', categories, 'top_3_coins_images'),
    ),
    changes(
      'trending_category_changes',
      categories,
      "(j->'$.id')::BIGINT AS category_number",
      'market_cap_change_percentage_24h',
    ),
  ]
}

/** A row per entry of the body and currency that was asked for, whether it is there or not. */
export function quotes(
  asked: AskedFor,
  table: string,
  key: string,
  entry: string,
  of: Record<string, string> = {},
): ExpectedTable[] {
  const perCurrency = asked.vsCurrency.split(',').map((code) => {
    const columns = sketch({
      DOUBLE: `price="${code}" market_cap="${code}_market_cap" volume_24h="${code}_24h_vol"
        price_change_percentage_24h="${code}_24h_change"`,
      EPOCH_S: 'last_updated_at',
    })
    return `SELECT ${entry} AS ${key}, ${text(code)} AS vs_currency, ${fromJson(columns, 'entry.value')}
      FROM ${BODY}, json_each(j) AS entry`
  })
  const from = `(${perCurrency.join('\nUNION ALL ')})`
  return [tableOf(table, { key: `${key} vs_currency`, of, select: [observed(asked), '*'], from })]
}
