import { z } from 'zod'
import { CATEGORIES_BODY, CATEGORY_LIST_BODY, PLATFORMS_BODY } from './bodies/categories.ts'
import { CANDLES_BODY, CHART_BODY, VOLUMES_BODY } from './bodies/charts.ts'
import { COIN_BODY, HISTORY_BODY } from './bodies/coin-detail.ts'
import { COINS_BODY, CURRENCIES_BODY, MARKETS_BODY, QUOTES_BODY } from './bodies/coin-listings.ts'
import {
  DERIVATIVE_EXCHANGE_BODY,
  DERIVATIVE_EXCHANGES_BODY,
  DERIVATIVES_BODY,
} from './bodies/derivatives.ts'
import { EXCHANGE_BODY, EXCHANGES_BODY, NAMED_LIST_BODY, RATES_BODY } from './bodies/exchanges.ts'
import { DEFI_BODY, GLOBAL_BODY } from './bodies/global.ts'
import { SEARCH_BODY, TRENDING_BODY } from './bodies/search.ts'
import { TICKERS_BODY } from './bodies/tickers.ts'
import type { OperationId } from './operation.ts'

const PING_BODY = z.union([
  z.looseObject({ status: z.string() }),
  z.looseObject({ gecko_says: z.string() }),
])

/**
 * The whole body of each operation's good answer, down to every field: for documents and for tests.
 * The client checks the envelope alone (`Operation.response`): datasets/ looks at every value anyway,
 * and one bad row must cost one row.
 */
export const responseBodies: Readonly<Record<OperationId, z.ZodType>> = {
  ping: PING_BODY,
  'simple/price': QUOTES_BODY,
  'simple/token_price/{id}': QUOTES_BODY,
  'simple/supported_vs_currencies': CURRENCIES_BODY,
  'coins/list': COINS_BODY,
  'coins/markets': MARKETS_BODY,
  'coins/{id}': COIN_BODY,
  'coins/{id}/tickers': TICKERS_BODY,
  'coins/{id}/history': HISTORY_BODY,
  'coins/{id}/market_chart': CHART_BODY,
  'coins/{id}/market_chart/range': CHART_BODY,
  'coins/{id}/ohlc': CANDLES_BODY,
  'coins/{id}/contract/{contract_address}': COIN_BODY,
  'coins/{id}/contract/{contract_address}/market_chart': CHART_BODY,
  'coins/{id}/contract/{contract_address}/market_chart/range': CHART_BODY,
  'coins/categories/list': CATEGORY_LIST_BODY,
  'coins/categories': CATEGORIES_BODY,
  asset_platforms: PLATFORMS_BODY,
  exchanges: EXCHANGES_BODY,
  'exchanges/list': NAMED_LIST_BODY,
  'exchanges/{id}': EXCHANGE_BODY,
  'exchanges/{id}/tickers': TICKERS_BODY,
  'exchanges/{id}/volume_chart': VOLUMES_BODY,
  exchange_rates: RATES_BODY,
  derivatives: DERIVATIVES_BODY,
  'derivatives/exchanges': DERIVATIVE_EXCHANGES_BODY,
  'derivatives/exchanges/{id}': DERIVATIVE_EXCHANGE_BODY,
  'derivatives/exchanges/list': NAMED_LIST_BODY,
  search: SEARCH_BODY,
  'search/trending': TRENDING_BODY,
  global: GLOBAL_BODY,
  'global/decentralized_finance_defi': DEFI_BODY,
}
