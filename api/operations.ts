import type { Operation, OperationId } from './operation.ts'
import * as coins from './operations/coins.ts'
import * as exchanges from './operations/exchanges.ts'
import { ping } from './operations/ping.ts'

/** Every operation of the `/v2` interface that coinlake knows, by id. */
export const operations: Readonly<Record<OperationId, Operation>> = {
  ping,
  'coins/list': coins.coinsList,
  'coins/markets': coins.coinsMarkets,
  'coins/{id}/market_chart': coins.coinMarketChart,
  'coins/{id}/market_chart/range': coins.coinMarketChartRange,
  'coins/{id}/ohlc': coins.coinOhlc,
  exchanges: exchanges.exchanges,
  'exchanges/list': exchanges.exchangesList,
  'exchanges/{id}/tickers': exchanges.exchangeTickers,
  exchange_rates: exchanges.exchangeRates,
}
