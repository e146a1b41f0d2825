import { type CoinSelector, parseSelector } from '../../config/values/coin-selector.ts'

/**
 * The selector that a text (`top:100`) means; workflows carry the text.
 *
 * @throws RangeError for a text that no order can hold.
 */
export function selectorFrom(text: string): CoinSelector {
  const selector = parseSelector(text)
  if (selector === null) throw new RangeError(`no selector of coins: ${text}`)
  return selector
}
