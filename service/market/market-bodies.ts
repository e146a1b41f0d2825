import type { OperationId } from '../../api/operations.ts'
import type { ParamValues } from '../../api/operations/describe-operation.ts'
import { categoriesBody, categoriesListBody } from './category-bodies.ts'
import { coinDetailsBody } from './coin-details.ts'
import { coinHistoryBody } from './coin-history.ts'
import { byText, coinsListBody } from './coin-listings.ts'
import { currencyOf } from './currency-list.ts'
import { DERIVATIVE_EXCHANGES } from './derivative-bodies.ts'
import { exchangeDetailsBody, volumeChartBody } from './exchange-details.ts'
import { exchangeRatesBody } from './exchange-rates.ts'
import { globalBody, globalDefiBody } from './global-bodies.ts'
import type { Body, Market } from './market-entries.ts'
import { assetPlatformsBody } from './platform-bodies.ts'
import { searchBody, trendingBody } from './search-bodies.ts'
import { quotesBody } from './simple-bodies.ts'
import { dayAt } from './time-grid.ts'

type Maker = (market: Market, params: ParamValues) => unknown

/** The body of each operation, with all pages and all optional parts. Coin charts and candles: series-batches.ts. */
export const MARKET_BODIES: Partial<Record<OperationId, Maker>> = {
  'simple/price': (market, params) => {
    const wanted = csv(params['ids']).map((id) => ({ key: id, coin: market.coinOf(id) }))
    return quotesBody(market, wanted, csv(params['vs_currencies']).map(currencyOf))
  },
  'simple/token_price/{id}': (market, params) => {
    const wanted = csv(params['contract_addresses']?.toLowerCase()).map((address) => {
      return { key: address, coin: market.coinOfToken(params['id'] ?? '', address) }
    })
    return quotesBody(market, wanted, csv(params['vs_currencies']).map(currencyOf))
  },
  'simple/supported_vs_currencies': ({ spec }) => [...spec.vsCurrencies],
  'coins/list': ({ coins }) => coinsListBody(coins),
  'coins/markets': ({ entriesIn }, params) => [
    ...entriesIn(currencyOf(params['vs_currency'] ?? '')).values(),
  ],
  'coins/{id}': (market, params) => {
    const coin = market.coinOf(params['id'] ?? '')
    const hasCategoryIds = params['include_categories_details'] === 'true'
    return coin === undefined ? null : coinDetailsBody(market, coin, hasCategoryIds)
  },
  'coins/{id}/tickers': coinTickers,
  'coins/{id}/history': (market, params) => {
    const coin = market.coinOf(params['id'] ?? '')
    const day = dayAt(Date.parse(params['date'] ?? ''))
    return coin === undefined ? null : coinHistoryBody(market, coin, day)
  },
  'coins/{id}/contract/{contract_address}': (market, params) => {
    const address = (params['contract_address'] ?? '').toLowerCase()
    const coin = market.coinOfToken(params['id'] ?? '', address)
    if (coin === undefined) return null
    return { ...coinDetailsBody(market, coin, false), contract_address: address }
  },
  'coins/categories/list': () => categoriesListBody(),
  'coins/categories': categoriesBody,
  asset_platforms: (_, params) => assetPlatformsBody(params['filter']),
  exchanges: (market) => market.exchangeBodies().exchanges,
  'exchanges/list': ({ exchanges }) => idsAndNames([...exchanges, ...DERIVATIVE_EXCHANGES]),
  'exchanges/{id}': (market, params) => exchangeDetailsBody(market, params['id'] ?? ''),
  'exchanges/{id}/tickers': (market, params) => {
    const found = market.exchangeBodies().tickersOf(params['id'] ?? '')
    if (found === null || params['order'] !== 'base_target') return found
    return { name: found.name, tickers: found.tickers.toSorted(byText('base', 'target')) }
  },
  'exchanges/{id}/volume_chart': (market, params) =>
    volumeChartBody(market, params['id'] ?? '', Number(params['days'] ?? 1)),
  exchange_rates: exchangeRatesBody,
  derivatives: (market) => market.derivativeBodies().tickers,
  'derivatives/exchanges': (market, params) => {
    const listed = market.derivativeBodies().exchanges
    return params['order'] === 'name_asc' ? listed.toSorted(byText('name')) : listed
  },
  'derivatives/exchanges/list': () => idsAndNames(DERIVATIVE_EXCHANGES),
  'derivatives/exchanges/{id}': (market, params) =>
    market.derivativeBodies().details.get(params['id'] ?? '') ?? null,
  search: (market, params) => searchBody(market, params['query'] ?? ''),
  'search/trending': trendingBody,
  global: globalBody,
  'global/decentralized_finance_defi': globalDefiBody,
}

/** The pairs of a coin on all exchanges, largest volume first. */
function coinTickers(market: Market, params: ParamValues): Body | null {
  const coin = market.coinOf(params['id'] ?? '')
  if (coin === undefined) return null
  const volume = (ticker: Body): number => (ticker['converted_volume'] as { usd: number }).usd
  const tickers = market.exchangeBodies().coinTickers(coin.id)
  return { name: coin.name, tickers: tickers.sort((a, b) => volume(b) - volume(a)) }
}

/** The body of a list of exchanges, by id. */
function idsAndNames(exchanges: readonly { id: string; name: string }[]): Body[] {
  return exchanges.map(({ id, name }) => ({ id, name })).sort(byText('id'))
}

function csv(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',')
}
