import { GRANULARITY_MS } from '../../../api/granularity.ts'
import type { OperationId } from '../../../api/operations.ts'
import type { PlacedBody } from '../asked-names.ts'
import { assetPlatforms, categories, categoryMarkets } from './catalogues.ts'
import { exchangeVolumeChart, marketChart, ohlc, tokenMarketChart } from './charts.ts'
import { coinMarkets, coins, coinTickers, exchangeTickers } from './coins.ts'
import {
  derivativeExchange,
  derivativeExchangesList,
  derivativeExchangeStats,
  derivativeTickers,
} from './derivatives.ts'
import { coinDetails, tokenDetails } from './details.ts'
import { exchangeDetails, exchangeRates, exchangesList, exchangeStats } from './exchanges.ts'
import type { AskedFor, ExpectedReader } from './expected-table.ts'
import { globalDefi, globalMarket } from './global.ts'
import { coinHistory } from './history.ts'
import { search, trending } from './search.ts'
import { priceQuotes, tokenPriceQuotes, vsCurrencies } from './simple.ts'

/** How the recorded bodies of every operation with tables are read; `ping` has none. */
export const EXPECTED_TABLES: Readonly<Record<Exclude<OperationId, 'ping'>, ExpectedReader>> = {
  'simple/price': priceQuotes,
  'simple/token_price/{id}': tokenPriceQuotes,
  'simple/supported_vs_currencies': vsCurrencies,
  'coins/list': coins,
  'coins/markets': coinMarkets,
  'coins/{id}': coinDetails,
  'coins/{id}/tickers': coinTickers,
  'coins/{id}/history': coinHistory,
  'coins/{id}/market_chart': marketChart,
  'coins/{id}/market_chart/range': marketChart,
  'coins/{id}/ohlc': ohlc,
  'coins/{id}/contract/{contract_address}': tokenDetails,
  'coins/{id}/contract/{contract_address}/market_chart': tokenMarketChart,
  'coins/{id}/contract/{contract_address}/market_chart/range': tokenMarketChart,
  'coins/categories/list': categories,
  'coins/categories': categoryMarkets,
  asset_platforms: assetPlatforms,
  exchanges: exchangeStats,
  'exchanges/list': exchangesList,
  'exchanges/{id}': exchangeDetails,
  'exchanges/{id}/tickers': exchangeTickers,
  'exchanges/{id}/volume_chart': exchangeVolumeChart,
  exchange_rates: exchangeRates,
  derivatives: derivativeTickers,
  'derivatives/exchanges': derivativeExchangeStats,
  'derivatives/exchanges/{id}': derivativeExchange,
  'derivatives/exchanges/list': derivativeExchangesList,
  search,
  'search/trending': trending,
  global: globalMarket,
  'global/decentralized_finance_defi': globalDefi,
}

/** What a body was asked for, and when it was answered. */
export function askedFor(body: PlacedBody, observedAtMs: number): AskedFor {
  const { entity, vsCurrency, granularity, date } = body
  const stepMs = granularity === '' ? 0 : GRANULARITY_MS[granularity]
  return { entity, vsCurrency, granularity, stepMs, observedAtMs, date }
}
