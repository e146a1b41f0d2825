import { GRANULARITY_MS } from '../../../api/granularity.ts'
import type { OperationId } from '../../../api/operations.ts'
import type { PlacedBody } from '../asked-names.ts'
import { chart, exchangeVolumeChart, ohlc } from './charts.ts'
import { coinDetails, coinHistory, tokenDetails } from './details.ts'
import { type AskedFor, catalogue, type ExpectedReader } from './expected-table.ts'
import { sketch } from './json-columns.ts'
import {
  assetPlatforms,
  categoryMarkets,
  coinMarkets,
  coins,
  coinTickers,
  derivativeExchange,
  derivativeExchangeStats,
  derivativeTickers,
  exchangeDetails,
  exchangeRates,
  exchangeStats,
  exchangeTickers,
  globalDefi,
  globalMarket,
} from './listings.ts'
import { quotes, search, trending } from './searches.ts'
import { tokenColumns, tokenOf } from './token.ts'

/** A catalogue of these texts. */
const named =
  (table: string, columns: string): ExpectedReader =>
  (asked) => [catalogue(asked, table, sketch({ VARCHAR: columns }))]
const coinChart: ExpectedReader = (asked) => chart(asked, 'market_chart', { coin_id: asked.entity })
const tokenChart: ExpectedReader = (asked) =>
  chart(asked, 'token_market_chart', tokenColumns(asked))
/** The address by which a token's price is kept. */
const ADDRESS = `CASE WHEN regexp_full_match(entry.key, '0x[0-9a-fA-F]{40}') THEN lower(entry.key)
  ELSE entry.key END`

/** How the recorded bodies of every operation with tables are read; `ping` has none. */
export const EXPECTED_TABLES: Readonly<Record<Exclude<OperationId, 'ping'>, ExpectedReader>> = {
  'simple/price': (asked) => quotes(asked, 'price_quotes', 'coin_id', 'entry.key'),
  'simple/token_price/{id}': (asked) =>
    quotes(asked, 'token_price_quotes', 'contract_address', ADDRESS, {
      platform_id: tokenOf(asked).platformId,
    }),
  'simple/supported_vs_currencies': named('vs_currencies', 'currency=$'),
  'coins/list': coins,
  'coins/markets': coinMarkets,
  'coins/{id}': coinDetails,
  'coins/{id}/tickers': coinTickers,
  'coins/{id}/history': coinHistory,
  'coins/{id}/market_chart': coinChart,
  'coins/{id}/market_chart/range': coinChart,
  'coins/{id}/ohlc': ohlc,
  'coins/{id}/contract/{contract_address}': tokenDetails,
  'coins/{id}/contract/{contract_address}/market_chart': tokenChart,
  'coins/{id}/contract/{contract_address}/market_chart/range': tokenChart,
  'coins/categories/list': named('categories', 'category_id name'),
  'coins/categories': categoryMarkets,
  asset_platforms: assetPlatforms,
  exchanges: exchangeStats,
  'exchanges/list': named('exchanges', 'exchange_id=id name'),
  'exchanges/{id}': exchangeDetails,
  'exchanges/{id}/tickers': exchangeTickers,
  'exchanges/{id}/volume_chart': exchangeVolumeChart,
  exchange_rates: exchangeRates,
  derivatives: derivativeTickers,
  'derivatives/exchanges': derivativeExchangeStats,
  'derivatives/exchanges/{id}': derivativeExchange,
  'derivatives/exchanges/list': named('derivative_exchanges', 'exchange_id=id name'),
  search,
  'search/trending': trending,
  global: globalMarket,
  'global/decentralized_finance_defi': globalDefi,
}

/** The request of a body, and the time of its answer. */
export function askedFor(body: PlacedBody, observedAtMs: number): AskedFor {
  const { entity, vsCurrency, granularity, date } = body
  const stepMs = granularity === '' ? 0 : GRANULARITY_MS[granularity]
  return { entity, vsCurrency, granularity, stepMs, observedAtMs, date }
}
