import { assetPlatforms } from './asset-platforms.ts'
import { categories } from './categories.ts'
import { categoryMarkets } from './category-markets.ts'
import { coinDetails } from './coin-details.ts'
import { coinHistory } from './coin-history.ts'
import { coinMarkets } from './coin-markets.ts'
import { coinTickers } from './coin-tickers.ts'
import { coins } from './coins.ts'
import type { Dataset, TableSpec } from './dataset.ts'
import { derivativeExchangeTickers } from './derivative-exchange-tickers.ts'
import { derivativeExchanges } from './derivative-exchanges.ts'
import { derivativeTickers } from './derivative-tickers.ts'
import { exchangeDetails } from './exchange-details.ts'
import { exchangeRates } from './exchange-rates.ts'
import { exchangeTickers } from './exchange-tickers.ts'
import { exchangeVolumeChart } from './exchange-volume-chart.ts'
import { exchanges } from './exchanges.ts'
import { globalDefi } from './global-defi.ts'
import { globalMarket } from './global-market.ts'
import { marketChart } from './market-chart.ts'
import { nftPlatforms } from './nft-platforms.ts'
import { ohlc } from './ohlc.ts'
import { priceQuotes } from './price-quotes.ts'
import { searchResults } from './search-results.ts'
import { tokenDetails } from './token-details.ts'
import { tokenMarketChart } from './token-market-chart.ts'
import { tokenPriceQuotes } from './token-price-quotes.ts'
import { trendingCoins } from './trending-coins.ts'
import { vsCurrencies } from './vs-currencies.ts'

/** In the order of docs and of `coinlake datasets`. */
export const datasets: readonly Dataset[] = [
  coins,
  coinMarkets,
  marketChart,
  ohlc,
  tokenMarketChart,
  coinHistory,
  coinDetails,
  tokenDetails,
  coinTickers,
  priceQuotes,
  tokenPriceQuotes,
  vsCurrencies,
  categories,
  categoryMarkets,
  assetPlatforms,
  nftPlatforms,
  exchanges,
  exchangeDetails,
  exchangeTickers,
  exchangeVolumeChart,
  exchangeRates,
  derivativeTickers,
  derivativeExchanges,
  derivativeExchangeTickers,
  searchResults,
  trendingCoins,
  globalMarket,
  globalDefi,
]

export const allTables: readonly TableSpec[] = datasets.flatMap((dataset) => dataset.tables)

export function datasetByName(name: string): Dataset | undefined {
  return datasets.find((dataset) => dataset.name === name)
}

export function tableByName(name: string): TableSpec | undefined {
  return allTables.find((table) => table.name === name)
}
