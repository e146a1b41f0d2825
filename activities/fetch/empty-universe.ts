import { SourceUnavailableError } from '../../api/errors.ts'
import type { CoinlakeError } from '../../config/coinlake-error.ts'
import { type CoinSelector, selectorText } from '../../config/values/coin-selector.ts'
import { ConfigError } from '../../config/config-error.ts'

/** The error for a selector without coins: a mistyped category, or trouble at the source. */
export function emptyUniverseError(selector: CoinSelector, url: string): CoinlakeError {
  if ('category' in selector) {
    const category = JSON.stringify(selector.category)
    return new ConfigError(`the source lists no coin of the category ${category}: GET ${url}`, {
      code: 'CATEGORY_EMPTY',
      hint: 'Check the id; the dataset categories has all of them.',
    })
  }
  const which = 'inactive' in selector ? 'delisted coin' : 'coin at all'
  const what = `the source lists no ${which}: ${selectorText(selector)} means nothing`
  return new SourceUnavailableError(what, {
    code: 'UNIVERSE_EMPTY',
    hint: 'Try again later, or name the coins by their ids with `coins: [bitcoin, ...]`.',
    url,
    retryable: false,
  })
}
