import { type OperationId, operations } from '../api/operations.ts'
import type { ParamValues } from '../api/operations/describe-operation.ts'
import type { CoinSelector } from '../config/values/coin-selector.ts'
import { listingPages } from './listing-pages.ts'
import { mostItems } from './listing-sizes.ts'

const MARKETS_PER_PAGE = operations['coins/markets'].paging!.maxPerPage

export interface CoinsRequest {
  operation: OperationId
  params: ParamValues
  /** Items of a full page; 0: the whole list is one answer. */
  perPage: number
  /** Coins to choose; null: all. */
  limit: number | null
  /** Upper bound of the chosen coins. */
  mostCoins: number
  /** Upper bound of the pages. */
  mostPages: number
}

/**
 * The request for a selector's coins: today's ranking by market cap in USD, or `coins/list`. The caller adds the page
 * number. All pages have the same size, because page n starts after (n - 1) * per_page items.
 */
export function coinsRequest(selector: CoinSelector): CoinsRequest {
  if ('all' in selector || 'inactive' in selector) {
    const mostCoins = mostItems('coins/list')
    const params: ParamValues = 'all' in selector ? {} : { status: 'inactive' }
    return { operation: 'coins/list', params, perPage: 0, limit: null, mostCoins, mostPages: 1 }
  }
  const limit = 'top' in selector ? selector.top : null
  const perPage = Math.min(limit ?? Infinity, MARKETS_PER_PAGE)
  const mostCoins = limit ?? mostItems('coins/markets')
  return {
    operation: 'coins/markets',
    params: {
      vs_currency: 'usd',
      order: 'market_cap_desc',
      ...('category' in selector ? { category: selector.category } : {}),
      per_page: String(perPage),
    },
    perPage,
    limit,
    mostCoins,
    // One more request asks for a category that does not exist, to see that the service filters.
    mostPages: limit === null ? listingPages(mostCoins, perPage) + 1 : Math.ceil(limit / perPage),
  }
}

/** The ids of a listing, cut at `limit`. The list moves while it is read; the first place of a coin counts. */
export function coinIdsFrom(pages: readonly (readonly string[])[], limit: number | null): string[] {
  const ids = [...new Set(pages.flat())]
  return limit === null ? ids : ids.slice(0, limit)
}
