import type { OperationId, ParamValues } from '../api/operation.ts'
import type { TopSelector } from './order.ts'

const TOP = /^top:([1-9][0-9]{0,4})$/

/** Largest page that coins/markets hands out (facts: pagination). */
const MARKETS_PER_PAGE = 250

/** The selector as it is written in the config and kept in the ledger: `top:100`. */
export function selectorText(selector: TopSelector): string {
  return `top:${selector.top}`
}

/** `top:100` as a selector; null for any other text, so that a coin id is never taken for one. */
export function parseSelector(text: string): TopSelector | null {
  const count = TOP.exec(text)?.[1]
  return count === undefined ? null : { top: Number(count) }
}

export interface UniverseStep {
  operation: OperationId
  params: ParamValues
  /** Pages to ask at most, 1..pages; a short page ends the listing earlier. */
  pages: number
  perPage: number
}

/**
 * How a selector is chosen: the ranking of today by market cap in USD. The page number is added to
 * the params by whoever asks. Every page has the same size, because page n starts after
 * (n - 1) * per_page items: a smaller last page would be another part of the list.
 */
export function universeStep(selector: TopSelector): UniverseStep {
  const perPage = Math.min(selector.top, MARKETS_PER_PAGE)
  return {
    operation: 'coins/markets',
    params: { vs_currency: 'usd', order: 'market_cap_desc', per_page: String(perPage) },
    pages: Math.ceil(selector.top / perPage),
    perPage,
  }
}

/**
 * The ids of a ranking read page by page, best first, cut at `count`. The list moves while it is
 * read, so a coin may stand on two pages: its first place counts.
 */
export function coinIdsFrom(pages: readonly (readonly string[])[], count: number): string[] {
  return [...new Set(pages.flat())].slice(0, count)
}
