import {
  amounts,
  counts,
  decimals,
  instants,
  seconds,
  texts,
  zonedInstants,
} from './distinct-values.ts'
import type { Variation, Variations } from './variation.ts'

function whole(body: unknown): Variation {
  return { text: JSON.stringify(body) }
}

function pictures(): object {
  return texts('thumb small large')
}

function ticker(): object {
  return {
    ...texts('base target coin_id target_coin_id trust_score trade_url token_info_url'),
    market: { ...texts('name identifier logo'), has_trading_incentive: true },
    ...amounts('last volume cost_to_move_up_usd cost_to_move_down_usd'),
    ...amounts('bid_ask_spread_percentage coin_mcap_usd'),
    converted_last: amounts('btc eth usd'),
    converted_volume: amounts('btc eth usd'),
    ...zonedInstants('timestamp last_traded_at last_fetch_at'),
    is_anomaly: true,
    is_stale: false,
  }
}

function derivativeExchange(): object {
  return {
    ...texts('name image country description url'),
    ...amounts('open_interest_btc'),
    ...decimals('trade_volume_24h_btc'),
    ...counts('number_of_perpetual_pairs number_of_futures_pairs year_established'),
  }
}

const CONTRACT = {
  ...texts('symbol base target coin_id target_coin_id trade_url contract_type'),
  ...amounts('last h24_percentage_change index index_basis_percentage bid_ask_spread'),
  ...amounts('funding_rate open_interest_usd h24_volume'),
  converted_volume: decimals('btc eth usd'),
  converted_last: decimals('btc eth usd'),
  ...seconds('last_traded expired_at'),
}

const MARKET = {
  ...texts('id symbol name image'),
  ...amounts('current_price market_cap fully_diluted_valuation total_volume high_24h low_24h'),
  ...amounts('price_change_24h price_change_percentage_24h market_cap_change_24h'),
  ...amounts('market_cap_change_percentage_24h circulating_supply total_supply max_supply'),
  ...amounts('ath ath_change_percentage atl atl_change_percentage'),
  ...instants('ath_date atl_date last_updated'),
  ...counts('market_cap_rank market_cap_rank_with_rehypothecated'),
  roi: { ...amounts('times percentage'), ...texts('currency') },
  sparkline_in_7d: { price: Object.values(amounts('a b c')) },
  ...amounts(
    ['1h', '24h', '7d', '14d', '30d', '200d', '1y']
      .map((frame) => `price_change_percentage_${frame}_in_currency`)
      .join(' '),
  ),
}

/** Listings in which every documented key has a value of its own: a column that took another's is told. */
export const WHOLE_LISTINGS: Variations = {
  'simple-token_price-id-whole--variation.json': whole({
    '0xdac17f958d2ee523a2206206994597c13d831ec7': {
      ...amounts('usd usd_market_cap usd_24h_vol usd_24h_change'),
      ...seconds('last_updated_at'),
    },
  }),
  'coins-markets-whole--variation.json': whole([MARKET]),
  'coins-id-tickers-whole--variation.json': whole({ name: 'Whole', tickers: [ticker()] }),
  'exchanges-id-tickers-whole--variation.json': whole({ name: 'Whole', tickers: [ticker()] }),
  'coins-categories-whole--variation.json': whole([
    {
      ...texts('id name content'),
      ...amounts('market_cap market_cap_change_24h volume_24h'),
      ...instants('updated_at'),
      top_3_coins_id: Object.values(texts('a b c')),
      top_3_coins: Object.values(texts('x y z')),
    },
  ]),
  'asset_platforms-whole--variation.json': whole([
    { ...texts('id name shortname native_coin_id'), chain_identifier: 1, image: pictures() },
  ]),
  'exchanges-whole--variation.json': whole([
    {
      ...texts('id name country description url image'),
      ...counts('year_established trust_score trust_score_rank'),
      ...amounts('trade_volume_24h_btc trade_volume_24h_btc_normalized'),
      has_trading_incentive: true,
    },
  ]),
  'exchanges-id-whole--variation.json': whole({
    ...texts('name country description url image facebook_url reddit_url telegram_url slack_url'),
    ...texts('other_url_1 other_url_2 twitter_handle public_notice alert_notice'),
    ...counts('year_established trust_score trust_score_rank coins pairs'),
    ...amounts('trade_volume_24h_btc trade_volume_24h_btc_normalized'),
    has_trading_incentive: true,
    centralized: false,
    tickers: [ticker()],
    status_updates: [{ description: 'All is well', pin: true }],
  }),
  'derivatives-whole--variation.json': whole([
    {
      ...texts('market symbol index_id contract_type'),
      ...decimals('price'),
      ...amounts('price_percentage_change_24h index basis spread funding_rate open_interest'),
      ...amounts('volume_24h'),
      ...seconds('last_traded_at expired_at'),
    },
  ]),
  'derivatives-exchanges-whole--variation.json': whole([
    { ...texts('id'), ...derivativeExchange() },
  ]),
  'derivatives-exchanges-id-whole--variation.json': whole({
    ...derivativeExchange(),
    tickers: [CONTRACT],
  }),
  'search-whole--variation.json': whole({
    coins: [{ ...texts('id name api_symbol symbol thumb large'), market_cap_rank: 1 }],
    exchanges: Array(2).fill(texts('id name market_type thumb large')),
    icos: Array(3).fill(texts('id name')),
    categories: Array(4).fill(texts('id name')),
    nfts: Array(5).fill(texts('id name symbol thumb')),
  }),
  'search-trending-whole--variation.json': whole({
    coins: [
      {
        item: {
          ...texts('id name symbol thumb small large slug'),
          ...counts('coin_id market_cap_rank score'),
          ...amounts('price_btc'),
          data: {
            ...amounts('price'),
            ...decimals('price_btc market_cap market_cap_btc total_volume total_volume_btc'),
            price_change_percentage_24h: amounts('usd btc'),
            ...texts('sparkline'),
            content: texts('title description'),
          },
        },
      },
    ],
    nfts: Array.from({ length: 2 }, () => ({
      ...texts('id name symbol thumb native_currency_symbol'),
      ...counts('nft_contract_id'),
      ...amounts('floor_price_in_native_currency floor_price_24h_percentage_change'),
      data: {
        ...decimals('floor_price floor_price_in_usd_24h_percentage_change h24_volume'),
        ...decimals('h24_average_sale_price'),
        ...texts('sparkline'),
        content: texts('title description'),
      },
    })),
    categories: Array.from({ length: 3 }, () => ({
      ...counts('id'),
      ...texts('name slug'),
      ...amounts('market_cap_1h_change'),
      coins_count: '573',
      top_3_coins_images: Object.values(texts('a b c')),
      data: {
        ...amounts('market_cap market_cap_btc total_volume total_volume_btc'),
        market_cap_change_percentage_24h: amounts('usd btc'),
        ...texts('sparkline'),
      },
    })),
  }),
  'global-whole--variation.json': whole({
    data: {
      ...counts('active_cryptocurrencies upcoming_icos ongoing_icos ended_icos markets'),
      total_market_cap: amounts('usd btc'),
      total_volume: amounts('usd btc'),
      market_cap_percentage: amounts('btc eth'),
      ...amounts('market_cap_change_percentage_24h_usd volume_change_percentage_24h_usd'),
      ...seconds('updated_at'),
    },
  }),
  'global-decentralized_finance_defi-whole--variation.json': whole({
    data: {
      ...decimals('defi_market_cap eth_market_cap defi_to_eth_ratio trading_volume_24h'),
      ...decimals('defi_dominance'),
      ...texts('top_coin_name'),
      ...amounts('top_coin_defi_dominance'),
    },
  }),
}
