import type { OperationId } from '../api/operations.ts'

/**
 * Upper bounds of the items of a listing. They bound a price while the length is unknown, and limit no fetch. An answer
 * of one object counts as one item.
 *
 * Largest listings seen, before rounding up:
 * - 17,900 coins
 * - 9,056 tickers of a coin, 1,112 of an exchange
 * - 740 categories, 76 currencies
 * - in 2021: 470 exchanges, 1,766 derivatives of 56 exchanges
 */
const MOST_ITEMS: Partial<Record<OperationId, number>> = {
  'coins/list': 20_000,
  'coins/markets': 20_000,
  'coins/{id}/tickers': 12_000,
  'coins/categories': 1_500,
  'coins/categories/list': 1_500,
  'simple/supported_vs_currencies': 100,
  exchanges: 2_000,
  'exchanges/list': 2_000,
  'exchanges/{id}/tickers': 3_000,
  'exchanges/{id}': 1,
  exchange_rates: 100,
  derivatives: 20_000,
  'derivatives/exchanges': 300,
  'derivatives/exchanges/list': 300,
  search: 150,
  'search/trending': 30,
  global: 1,
  'global/decentralized_finance_defi': 1,
}

const MOST_ITEMS_ELSEWHERE = 1_000

export function mostItems(operation: OperationId): number {
  return MOST_ITEMS[operation] ?? MOST_ITEMS_ELSEWHERE
}
