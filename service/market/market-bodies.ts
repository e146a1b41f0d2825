import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { DAY_MS } from '../../api/granularity.ts'
import { categoriesBody, categoriesListBody } from './category-bodies.ts'
import { coinDetailsBody } from './coin-details.ts'
import { coinHistoryBody } from './coin-history.ts'
import { coinsListBody } from './coin-listings.ts'
import type { MarketCoin } from './coin-universe.ts'
import { currencyOf } from './currency-list.ts'
import type { DerivativeBodies } from './derivative-bodies.ts'
import type { ExchangeBodies } from './exchange-bodies.ts'
import { exchangeDetailsBody, volumeChartBody } from './exchange-details.ts'
import { exchangeRatesBody } from './exchange-rates.ts'
import type { MarketExchange } from './exchange-universe.ts'
import { globalBody, globalDefiBody } from './global-bodies.ts'
import type { Body, EntriesIn, FiguresIn } from './market-entries.ts'
import type { MarketSpec } from './market-spec.ts'
import { assetPlatformsBody } from './platform-bodies.ts'
import type { Prices } from './prices.ts'
import { searchBody, trendingBody } from './search-bodies.ts'
import { quotesBody } from './simple-bodies.ts'
import { dayAt } from './time-grid.ts'

/** The parts that the bodies of one moment are made of. */
export interface MarketParts {
  spec: MarketSpec
  prices: Prices
  coins: readonly MarketCoin[]
  coinOf: (id: string) => MarketCoin | undefined
  /** Contract addresses in lower case. */
  coinOfToken: (platformId: string, contractAddress: string) => MarketCoin | undefined
  exchanges: readonly MarketExchange[]
  entriesIn: EntriesIn
  figuresIn: FiguresIn
  exchangeBodies(): ExchangeBodies
  derivativeBodies(): DerivativeBodies
}

type Maker = (parts: MarketParts, params: ParamValues) => unknown

const USD = currencyOf('usd')
const BTC = currencyOf('btc')

/** The body of each operation, with all pages and all optional parts. Series are written column by column instead. */
export const MARKET_BODIES: Partial<Record<OperationId, Maker>> = {
  'simple/price': ({ entriesIn }, params) => {
    const wanted = csv(params['ids']).map((id) => ({ key: id, coinId: id }))
    return quotesBody(wanted, csv(params['vs_currencies']).map(currencyOf), entriesIn)
  },
  'simple/token_price/{id}': ({ coinOfToken, entriesIn }, params) => {
    const wanted = csv(params['contract_addresses']?.toLowerCase()).map((address) => {
      return { key: address, coinId: coinOfToken(params['id'] ?? '', address)?.id }
    })
    return quotesBody(wanted, csv(params['vs_currencies']).map(currencyOf), entriesIn)
  },
  'simple/supported_vs_currencies': ({ spec }) => [...spec.vsCurrencies],
  'coins/list': ({ coins }) => coinsListBody(coins),
  'coins/markets': ({ entriesIn }, params) => [
    ...entriesIn(currencyOf(params['vs_currency'] ?? '')).values(),
  ],
  'coins/{id}': (parts, params) => {
    const hasCategoryIds = params['include_categories_details'] === 'true'
    return detailsOf(parts, parts.coinOf(params['id'] ?? ''), hasCategoryIds)
  },
  'coins/{id}/tickers': (parts, params) => coinTickers(parts, params['id'] ?? ''),
  'coins/{id}/history': ({ spec, coinOf, prices }, params) => {
    const coin = coinOf(params['id'] ?? '')
    const day = dayAt(Date.parse(params['date'] ?? ''))
    const currencies = spec.vsCurrencies.map(currencyOf)
    return coin === undefined ? null : coinHistoryBody(coin, currencies, prices, day, spec.nowMs)
  },
  'coins/{id}/contract/{contract_address}': (parts, params) => {
    const address = (params['contract_address'] ?? '').toLowerCase()
    const details = detailsOf(parts, parts.coinOfToken(params['id'] ?? '', address), false)
    return details === null ? null : { ...details, contract_address: address }
  },
  'coins/categories/list': () => categoriesListBody(),
  'coins/categories': ({ coins, entriesIn }) => categoriesBody(coins, entriesIn(USD)),
  asset_platforms: (_, params) => assetPlatformsBody(params['filter']),
  exchanges: (parts) => parts.exchangeBodies().exchanges,
  'exchanges/list': (parts) => parts.exchangeBodies().list,
  'exchanges/{id}': (parts, params) => {
    const exchange = parts.exchanges.find(({ id }) => id === params['id'])
    return exchange === undefined ? null : exchangeDetailsBody(exchange, parts.exchangeBodies())
  },
  'exchanges/{id}/tickers': (parts, params) => {
    const found = parts.exchangeBodies().tickersOf(params['id'] ?? '')
    if (found === null || params['order'] !== 'base_target') return found
    return { name: found.name, tickers: found.tickers.toSorted(byText('base', 'target')) }
  },
  'exchanges/{id}/volume_chart': (parts, params) => {
    const { spec, exchanges } = parts
    const exchange = exchanges.find(({ id }) => id === params['id'])
    const listed = parts.exchangeBodies().exchanges.find((body) => body['id'] === params['id'])
    if (exchange === undefined || listed === undefined) return null
    const volumeBtc = Number(listed['trade_volume_24h_btc'])
    const days = Number(params['days'] ?? 1)
    return volumeChartBody({ seed: spec.seed, exchange, volumeBtc, days, nowMs: spec.nowMs })
  },
  exchange_rates: ({ spec, prices }) => exchangeRatesBody(spec, prices),
  derivatives: (parts) => parts.derivativeBodies().tickers,
  'derivatives/exchanges': (parts, params) => {
    const listed = parts.derivativeBodies().exchanges
    return params['order'] === 'name_asc' ? listed.toSorted(byText('name')) : listed
  },
  'derivatives/exchanges/list': (parts) => parts.derivativeBodies().list,
  'derivatives/exchanges/{id}': (parts, params) =>
    parts.derivativeBodies().details.get(params['id'] ?? '') ?? null,
  search: ({ coins, exchanges, entriesIn }, params) =>
    searchBody(params['query'] ?? '', coins, exchanges, entriesIn(USD)),
  'search/trending': ({ spec, coins, entriesIn, figuresIn }) =>
    trendingBody({
      seed: spec.seed,
      day: Math.floor(spec.nowMs / DAY_MS),
      coins,
      inUsd: entriesIn(USD),
      inBtc: (coin) => figuresIn(BTC, coin),
    }),
  global: ({ spec, coins, exchanges, entriesIn }) =>
    globalBody({
      coins,
      exchangeCount: exchanges.length,
      currencies: spec.vsCurrencies.map(currencyOf),
      entriesIn,
      usd: USD,
      nowMs: spec.nowMs,
    }),
  'global/decentralized_finance_defi': ({ coins, entriesIn }) =>
    globalDefiBody(coins, entriesIn(USD)),
}

function detailsOf(
  parts: MarketParts,
  coin: MarketCoin | undefined,
  hasCategoryIds: boolean,
): Body | null {
  const { spec, entriesIn } = parts
  if (coin === undefined) return null
  const currencies = spec.vsCurrencies.map(currencyOf)
  return coinDetailsBody({ seed: spec.seed, coin, currencies, entriesIn, usd: USD, hasCategoryIds })
}

/** The pairs of a coin on all exchanges, largest volume first. */
function coinTickers(parts: MarketParts, coinId: string): Body | null {
  const coin = parts.coinOf(coinId)
  if (coin === undefined) return null
  const volume = (ticker: Body): number => (ticker['converted_volume'] as { usd: number }).usd
  const tickers = parts.exchangeBodies().coinTickers(coinId)
  return { name: coin.name, tickers: tickers.sort((a, b) => volume(b) - volume(a)) }
}

/** Orders by code points as DuckDB does, one key after the other. */
function byText(...keys: string[]): (a: Body, b: Body) => number {
  const textOf = (row: Body): string => keys.map((key) => String(row[key])).join('\n')
  return (a, b) => {
    const [left, right] = [textOf(a), textOf(b)]
    if (left === right) return 0
    return left < right ? -1 : 1
  }
}

function csv(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',')
}
