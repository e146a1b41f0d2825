/**
 * A choice of coins. The first plan that needs the coins makes the choice, and later plans keep it.
 *
 * - `top`: the N largest by market cap
 * - `category`: all coins of a category, the largest first
 * - `all`: all that the source lists
 * - `inactive`: all that the source no longer lists
 */
export type CoinSelector =
  | { top: number }
  | { category: string }
  | { all: true }
  | { inactive: true }

/** Coins by id, or by a selector. */
export type CoinChoice = { ids: readonly string[] } | CoinSelector

const TOP_PATTERN = /^top:([1-9][0-9]{0,4})$/
const CATEGORY_PATTERN = /^category:(.+)$/su
const ALL = 'all'
const INACTIVE = 'inactive'

/** The selector as config and ledger write it: `top:100`, `category:layer-1`, `all`, `inactive`. */
export function selectorText(selector: CoinSelector): string {
  if ('top' in selector) return `top:${selector.top}`
  if ('category' in selector) return `category:${selector.category}`
  return 'all' in selector ? ALL : INACTIVE
}

/** A text as a selector; null for any other text, such as a coin id. */
export function parseSelector(text: string): CoinSelector | null {
  if (text === ALL) return { all: true }
  if (text === INACTIVE) return { inactive: true }
  const top = TOP_PATTERN.exec(text)?.[1]
  if (top !== undefined) return { top: Number(top) }
  const category = CATEGORY_PATTERN.exec(text)?.[1]
  return category === undefined ? null : { category }
}

const LIKE_TOP_PATTERN = /^(?:top[\s:]*|[a-z]+:)([1-9][0-9]{0,4})$/i
const LIKE_CATEGORY_PATTERN = /^category\s*:(.+)$/isu

/** The selector behind a misspelt text (`top20`, `TOP:20`, `topp:20`, `ALL`); null for a coin id. */
export function meantSelector(text: string): string | null {
  if (parseSelector(text) !== null) return null
  const word = text.toLowerCase()
  if (word === ALL || word === INACTIVE) return word
  const category = LIKE_CATEGORY_PATTERN.exec(text)?.[1]?.trim() ?? ''
  if (category !== '') return `category:${category}`
  const top = LIKE_TOP_PATTERN.exec(text)?.[1]
  return top === undefined ? null : `top:${top}`
}
