import { type CoinSelector, parseSelector } from '../../config/values/coin-selector.ts'

/** The selector of a text (`top:100`). Workflows have only the text. @throws RangeError for no selector */
export function selectorFrom(text: string): CoinSelector {
  const selector = parseSelector(text)
  if (selector === null) throw new RangeError(`no selector of coins: ${text}`)
  return selector
}
