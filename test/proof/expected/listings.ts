import { catalogue, lone, observed, seenOnce, snapshot, tableOf } from './expected-table.ts'
import type { AskedFor, ExpectedTable } from './expected-table.ts'
import { BODY, fromJson, items, itemsOf, mapsByKey, sketch } from './json-columns.ts'

const UNITS = 'btc eth usd'.split(' ')

/** An object of one amount in three units: `volume` for `converted_volume.btc` and its like. */
const converted = (what: string): string =>
  UNITS.map((unit) => `converted_${what}_${unit}=converted_${what}.${unit}`).join(' ')

export function coins(asked: AskedFor): ExpectedTable[] {
  const platforms = `(SELECT j->>'$.id' AS coin_id, coalesce(j->'$.platforms', '{}'::JSON) AS platforms
    FROM ${items('$')})`
  return [
    catalogue(asked, 'coins', sketch({ VARCHAR: 'coin_id=id symbol name' }), 'coin_id symbol name'),
    tableOf('coin_platforms', {
      key: 'coin_id platform_id contract_address',
      select: [
        `coin_id, entry.key AS platform_id, entry.value->>'$' AS contract_address`,
        seenOnce(asked),
      ],
      from: `${platforms}, json_each(platforms) AS entry WHERE json_type(entry.value) = 'VARCHAR'`,
    }),
  ]
}

const PLATFORM = sketch({
  VARCHAR: `platform_id=id name shortname native_coin_id image_thumb=image.thumb
      image_small=image.small image_large=image.large`,
  BIGINT: 'chain_identifier',
})

export function assetPlatforms(asked: AskedFor): ExpectedTable[] {
  return [
    catalogue(asked, 'asset_platforms', PLATFORM),
    // Asked for with a filter, which recordings answer with the whole list.
    catalogue(asked, 'nft_platforms', sketch({ VARCHAR: 'platform_id=id' })),
  ]
}

const CATEGORY_MARKET = sketch({
  VARCHAR: 'category_id=id name content',
  DOUBLE: 'market_cap market_cap_change_percentage_24h=market_cap_change_24h volume_24h',
  TIMESTAMPTZ: 'updated_at',
})

export function categoryMarkets(asked: AskedFor): ExpectedTable[] {
  const top = (key: string): string => itemsOf(`j->'$.${key}'`, items('$'), "j->>'$.id'")
  return [
    snapshot(asked, 'category_markets', CATEGORY_MARKET, { key: 'category_id' }),
    tableOf('category_top_coins', {
      key: 'category_id ordinal',
      select: [
        observed(asked),
        "id AS category_id, place AS ordinal, ids.j->>'$' AS coin_id, images.j->>'$' AS image",
      ],
      from: `${top('top_3_coins_id')} AS ids FULL JOIN ${top('top_3_coins')} AS images USING (id, place)`,
    }),
  ]
}

const CHANGES = '1h 24h 7d 14d 30d 200d 1y'.split(' ')
const MARKET = sketch({
  VARCHAR: 'coin_id=id symbol name image roi_currency=roi.currency',
  DOUBLE: `current_price market_cap fully_diluted_valuation total_volume high_24h low_24h
      price_change_24h price_change_percentage_24h market_cap_change_24h
      market_cap_change_percentage_24h circulating_supply total_supply max_supply
      ath ath_change_percentage atl atl_change_percentage roi_times=roi.times
      roi_percentage=roi.percentage
      ${CHANGES.map((frame) => `price_change_percentage_${frame}_in_currency`).join(' ')}`,
  BIGINT: 'market_cap_rank market_cap_rank_with_rehypothecated',
  TIMESTAMPTZ: 'ath_at=ath_date atl_at=atl_date last_updated_at=last_updated',
  JSON: 'sparkline_in_7d',
})

export function coinMarkets(asked: AskedFor): ExpectedTable[] {
  const of = { vs_currency: asked.vsCurrency }
  return [snapshot(asked, 'coin_markets', MARKET, { of, json: 'sparkline_in_7d' })]
}

const TICKER = sketch({
  VARCHAR: `base target target_coin_id market_name=market.name
      market_identifier=market.identifier market_logo=market.logo trust_score
      trade_url token_info_url`,
  BOOLEAN: 'market_has_trading_incentive=market.has_trading_incentive is_anomaly is_stale',
  DOUBLE: `last volume cost_to_move_up_usd cost_to_move_down_usd bid_ask_spread_percentage
      coin_mcap_usd ${converted('last')} ${converted('volume')}`,
  TIMESTAMPTZ: 'ticker_at=timestamp last_traded_at last_fetch_at',
})

/** The common columns of coin and exchange tickers. */
function tickers(
  asked: AskedFor,
  table: string,
  of: Record<string, string>,
  select: readonly string[],
): ExpectedTable {
  return snapshot(asked, table, TICKER, {
    of,
    select: [
      `(SELECT j->>'$.name' FROM ${BODY}) AS listing_name`,
      "coalesce(j->>'$.coin_id', '') AS coin_id",
      ...select,
    ],
    from: items('$.tickers'),
  })
}

export function coinTickers(asked: AskedFor): ExpectedTable[] {
  const exchange = "coalesce(j->>'$.market.identifier', '') AS exchange_id"
  return [tickers(asked, 'coin_tickers', { listing_coin_id: asked.entity }, [exchange])]
}

export function exchangeTickers(asked: AskedFor): ExpectedTable[] {
  return [tickers(asked, 'exchange_tickers', { exchange_id: asked.entity }, [])]
}

const EXCHANGE_STATS = sketch({
  VARCHAR: 'exchange_id=id name country description url image',
  BIGINT: 'year_established trust_score trust_score_rank',
  BOOLEAN: 'has_trading_incentive',
  DOUBLE: 'trade_volume_24h_btc trade_volume_24h_btc_normalized',
})

export function exchangeStats(asked: AskedFor): ExpectedTable[] {
  return [snapshot(asked, 'exchange_stats', EXCHANGE_STATS)]
}

const EXCHANGE_DETAILS = sketch({
  VARCHAR: `name country description url image facebook_url reddit_url telegram_url
      slack_url other_url_1 other_url_2 twitter_handle public_notice alert_notice`,
  BIGINT: 'year_established trust_score trust_score_rank coins pairs',
  BOOLEAN: 'has_trading_incentive centralized',
  DOUBLE: 'trade_volume_24h_btc trade_volume_24h_btc_normalized',
  JSON: 'status_updates',
})

export function exchangeDetails(asked: AskedFor): ExpectedTable[] {
  const of = { exchange_id: asked.entity }
  return [lone(asked, 'exchange_details', EXCHANGE_DETAILS, { of, json: 'status_updates' })]
}

export function exchangeRates(asked: AskedFor): ExpectedTable[] {
  const rate = sketch({ VARCHAR: 'name unit type', DOUBLE: 'value' })
  return [
    tableOf('exchange_rates', {
      key: 'currency',
      select: [
        'entry.key AS currency, row_number() OVER (ORDER BY entry.rowid) - 1 AS ordinal',
        observed(asked),
        fromJson(rate, 'entry.value'),
      ],
      from: `(SELECT j->'$.rates' AS rates FROM ${BODY}), json_each(rates) AS entry`,
    }),
  ]
}

const DERIVATIVE_TICKER = sketch({
  VARCHAR: 'market_name=market symbol index_id contract_type',
  DECIMAL: 'price',
  DOUBLE: `price_percentage_change_24h index_price=index basis spread funding_rate
      open_interest_usd=open_interest volume_24h_usd=volume_24h`,
  EPOCH_S: 'last_traded_at expired_at',
})

export function derivativeTickers(asked: AskedFor): ExpectedTable[] {
  return [snapshot(asked, 'derivative_tickers', DERIVATIVE_TICKER)]
}

const DERIVATIVE_EXCHANGE = {
  VARCHAR: 'name image country description url',
  DOUBLE: 'open_interest_btc',
  DECIMAL: 'trade_volume_24h_btc',
  BIGINT: 'number_of_perpetual_pairs number_of_futures_pairs year_established',
}
const CONTRACT = sketch({
  VARCHAR: 'symbol base target coin_id target_coin_id trade_url contract_type',
  DOUBLE: `last price_percentage_change_24h=h24_percentage_change index_price=index
      index_basis_percentage bid_ask_spread funding_rate open_interest_usd
      volume_24h=h24_volume`,
  EPOCH_S: 'last_traded_at=last_traded expired_at',
  DECIMAL: `${converted('volume')} ${converted('last')}`,
})

export function derivativeExchangeStats(asked: AskedFor): ExpectedTable[] {
  const columns = sketch({
    ...DERIVATIVE_EXCHANGE,
    VARCHAR: `exchange_id=id ${DERIVATIVE_EXCHANGE.VARCHAR}`,
  })
  return [snapshot(asked, 'derivative_exchange_stats', columns, { key: 'exchange_id' })]
}

export function derivativeExchange(asked: AskedFor): ExpectedTable[] {
  const of = { exchange_id: asked.entity }
  const from = items('$.tickers')
  return [
    lone(asked, 'derivative_exchange_details', sketch(DERIVATIVE_EXCHANGE), { of }),
    snapshot(asked, 'derivative_exchange_tickers', CONTRACT, { of, from }),
  ]
}

const GLOBAL = sketch({
  BIGINT: 'active_cryptocurrencies upcoming_icos ongoing_icos ended_icos markets',
  DOUBLE: 'market_cap_change_percentage_24h_usd volume_change_percentage_24h_usd',
  EPOCH_S: 'updated_at',
})
const DEFI = sketch({
  DECIMAL: `defi_market_cap eth_market_cap defi_to_eth_ratio trading_volume_24h
      defi_dominance`,
  VARCHAR: 'top_coin_name',
  DOUBLE: 'top_coin_defi_dominance',
})
const DATA = `(SELECT j->'$.data' AS j FROM ${BODY})`

export function globalMarket(asked: AskedFor): ExpectedTable[] {
  const byKey = (table: string, key: string, maps: string): ExpectedTable =>
    tableOf(table, {
      key,
      select: [observed(asked), `key AS ${key}`, fromJson(sketch({ DOUBLE: maps }))],
      from: mapsByKey("j->'$.data'", maps.split(' ')),
    })
  return [
    lone(asked, 'global_market', GLOBAL, { from: DATA }),
    byKey('global_market_by_currency', 'vs_currency', 'total_market_cap total_volume'),
    byKey('global_market_dominance', 'symbol', 'market_cap_percentage'),
  ]
}

export function globalDefi(asked: AskedFor): ExpectedTable[] {
  return [lone(asked, 'global_defi', DEFI, { from: DATA })]
}
