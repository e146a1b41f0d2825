/**
 * Coins that are chosen when a plan first needs them, and frozen then: the N largest by market cap, all
 * of a category (largest first), or all that the source lists.
 */
export type CoinSelector = { top: number } | { category: string } | { all: true }

const TOP = /^top:([1-9][0-9]{0,4})$/
const CATEGORY = /^category:(.+)$/su
const ALL = 'all'

/** The selector as it is written in the config and kept in the ledger: `top:100`, `category:layer-1`, `all`. */
export function selectorText(selector: CoinSelector): string {
  if ('top' in selector) return `top:${selector.top}`
  return 'category' in selector ? `category:${selector.category}` : ALL
}

/** A text as a selector; null for any other text, so that a coin id is never taken for one. */
export function parseSelector(text: string): CoinSelector | null {
  if (text === ALL) return { all: true }
  const top = TOP.exec(text)?.[1]
  if (top !== undefined) return { top: Number(top) }
  const category = CATEGORY.exec(text)?.[1]
  return category === undefined ? null : { category }
}
