import { type CoinSelector, parseSelector } from '../../config/coin-selector.ts'

/**
 * The selector that a workflow speaks of by its text.
 *
 * @throws RangeError for a text that no order can hold.
 */
export function selectorFrom(text: string): CoinSelector {
  const selector = parseSelector(text)
  if (selector === null) throw new RangeError(`no selector of coins: ${text}`)
  return selector
}
