import type { Operation, OperationId } from './operation.ts'
import * as categories from './operations/categories.ts'
import * as coins from './operations/coins.ts'
import * as contract from './operations/contract.ts'
import * as derivatives from './operations/derivatives.ts'
import * as exchanges from './operations/exchanges.ts'
import { global, globalDefi } from './operations/global.ts'
import { ping } from './operations/ping.ts'
import { search, searchTrending } from './operations/search.ts'
import * as simple from './operations/simple.ts'

/** Every operation of the `/v2` interface by id, in the interface's order. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  ping,
  'simple/price': simple.simplePrice,
  'simple/token_price/{id}': simple.simpleTokenPrice,
  'simple/supported_vs_currencies': simple.supportedVsCurrencies,
  'coins/list': coins.coinsList,
  'coins/markets': coins.coinsMarkets,
  'coins/{id}': coins.coinDetail,
  'coins/{id}/tickers': coins.coinTickers,
  'coins/{id}/history': coins.coinHistory,
  'coins/{id}/market_chart': coins.coinMarketChart,
  'coins/{id}/market_chart/range': coins.coinMarketChartRange,
  'coins/{id}/ohlc': coins.coinOhlc,
  'coins/{id}/contract/{contract_address}': contract.tokenDetail,
  'coins/{id}/contract/{contract_address}/market_chart': contract.tokenMarketChart,
  'coins/{id}/contract/{contract_address}/market_chart/range': contract.tokenMarketChartRange,
  'coins/categories/list': categories.categoriesList,
  'coins/categories': categories.categories,
  asset_platforms: categories.assetPlatforms,
  exchanges: exchanges.exchanges,
  'exchanges/list': exchanges.exchangesList,
  'exchanges/{id}': exchanges.exchangeDetail,
  'exchanges/{id}/tickers': exchanges.exchangeTickers,
  'exchanges/{id}/volume_chart': exchanges.exchangeVolumeChart,
  exchange_rates: exchanges.exchangeRates,
  derivatives: derivatives.derivatives,
  'derivatives/exchanges': derivatives.derivativeExchanges,
  'derivatives/exchanges/{id}': derivatives.derivativeExchangeDetail,
  'derivatives/exchanges/list': derivatives.derivativeExchangesList,
  search,
  'search/trending': searchTrending,
  global,
  'global/decentralized_finance_defi': globalDefi,
}
