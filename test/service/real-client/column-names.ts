import type { Names } from './held-values.ts'

/** Fields of a ticker that are called otherwise than their columns. */
export const TICKER: Names = {
  'market.has_trading_incentive': 'market_has_trading_incentive',
  timestamp: 'ticker_at',
}

/** Of exchanges, spot and derivative. */
export const NAME_AND_ID: Names = { id: 'exchange_id' }
