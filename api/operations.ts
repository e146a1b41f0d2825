import type { DescribedOperation } from './operations/describe-operation.ts'
import * as categories from './operations/categories.ts'
import * as coins from './operations/coins.ts'
import * as contract from './operations/contract.ts'
import * as derivatives from './operations/derivatives.ts'
import * as exchanges from './operations/exchanges.ts'
import { global, globalDefi } from './operations/global.ts'
import { search, searchTrending } from './operations/search.ts'
import * as simple from './operations/simple.ts'

/** In the interface's order. */
const ALL = [
  simple.ping,
  simple.simplePrice,
  simple.simpleTokenPrice,
  simple.supportedVsCurrencies,
  coins.coinsList,
  coins.coinsMarkets,
  coins.coinDetail,
  coins.coinTickers,
  coins.coinHistory,
  coins.coinMarketChart,
  coins.coinMarketChartRange,
  coins.coinOhlc,
  contract.tokenDetail,
  contract.tokenMarketChart,
  contract.tokenMarketChartRange,
  categories.categoriesList,
  categories.categories,
  categories.assetPlatforms,
  exchanges.exchanges,
  exchanges.exchangesList,
  exchanges.exchangeDetail,
  exchanges.exchangeTickers,
  exchanges.exchangeVolumeChart,
  exchanges.exchangeRates,
  derivatives.derivatives,
  derivatives.derivativeExchanges,
  derivatives.derivativeExchangeDetail,
  derivatives.derivativeExchangesList,
  search,
  searchTrending,
  global,
  globalDefi,
] as const

export type OperationId = (typeof ALL)[number]['id']
export type Operation = DescribedOperation<OperationId>

/** Every operation of the `/v2` interface by id, in the interface's order. */
export const operations = Object.fromEntries(ALL.map((one) => [one.id, one])) as Readonly<
  Record<OperationId, Operation>
>
