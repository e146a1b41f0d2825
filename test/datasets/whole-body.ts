import type { OperationId } from '../../api/operations.ts'
import { wholeBodyOf } from '../proof/variations/made-bodies.ts'

export type Json = Record<string, unknown>

/** A body with a value of its own in every field that the dataset of an operation reads. */
export function wholeBody(operation: OperationId): Json {
  return wholeBodyOf(operation) as Json
}

/** The item of such a body that is a list. */
export function wholeItem(operation: OperationId): Json {
  return (wholeBodyOf(operation) as Json[])[0]!
}

interface Ticker extends Json {
  market: Json
  target_coin_id: unknown
  cost_to_move_up_usd: unknown
  cost_to_move_down_usd: unknown
}

export function wholeTicker(): Ticker {
  return (wholeBody('coins/{id}/tickers') as { tickers: Ticker[] }).tickers[0]!
}

/** The details of a coin, without the tickers that other tables have. */
export function wholeDetail(
  operation: 'coins/{id}' | 'coins/{id}/contract/{contract_address}' = 'coins/{id}',
): Json & { market_data: Json } {
  const { tickers: _tickers, ...detail } = wholeBody(operation) as Json & { market_data: Json }
  return detail
}
