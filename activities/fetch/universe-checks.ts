import { SourceRequestError, SourceUnavailableError } from '../../api/errors.ts'
import type { CoinlakeError } from '../../config/coinlake-error.ts'
import { ConfigError } from '../../config/config-error.ts'
import { type CoinSelector, selectorText } from '../../config/values/coin-selector.ts'
import { askSource, type AskDeps, type SourceRequest } from './ask-source.ts'
import type { ThrottledAnswer } from './throttled-answer.ts'
import type { PageCalls } from './batch-time.ts'
import { PAGELESS_CODES } from './lost-requests.ts'

/** Ranks move while a listing is read. A row may have a rank this much beyond the rows read. */
const MOVED_RANKS = 0.02

/**
 * Proves that the service filters by category: the interface does not name this parameter, so a service may ignore it.
 * One request asks for an impossible category. An empty answer or a refusal is the proof.
 *
 * @returns null, or the source's 429.
 * @throws ConfigError CATEGORY_NOT_HEEDED
 */
export async function confirmFilter(
  deps: AskDeps,
  request: SourceRequest,
  pageCalls: PageCalls,
): Promise<ThrottledAnswer | null> {
  const { order: _order, ...params } = request.params
  const category = `${request.params['category']}-no-such-category`
  const probe = { ...request, params: { ...params, category, per_page: '1', page: '1' } }
  try {
    return await askSource(deps, probe, pageCalls, async (answer) => {
      await answer.recordLost(PAGELESS_CODES.categoryProbe)
      if (Array.isArray(answer.json) && answer.json.length > 0) throw notHeededError(answer.url)
      return null
    })
  } catch (error) {
    if (!(error instanceof SourceRequestError)) throw error
    return null
  }
}

function notHeededError(url: string): ConfigError {
  return new ConfigError(
    `the service lists coins of a category that does not exist, so it ignores categories: GET ${url}`,
    {
      code: 'CATEGORY_NOT_HEEDED',
      hint: 'Choose the coins by their ids or with top:N.',
    },
  )
}

/**
 * Proves that rows which came without `order` are the largest coins by market cap. The service may list coins in another
 * order, so all ranks must lie within the rows read so far.
 *
 * @param itemsSoFar rows of the listing, those of this page included
 * @throws ConfigError RANKING_NOT_HEEDED
 */
export function confirmRanking(rows: readonly unknown[], itemsSoFar: number, url: string): void {
  const lastRank = Math.floor(itemsSoFar * (1 + MOVED_RANKS))
  const isRanked = rows.every((row) => {
    const rank = (row as { market_cap_rank?: unknown } | null)?.market_cap_rank
    return typeof rank === 'number' && rank <= lastRank
  })
  if (isRanked) return
  throw new ConfigError(
    `the service refuses \`order\`, and no ranks prove that its listing begins with the largest coins: GET ${url}`,
    {
      code: 'RANKING_NOT_HEEDED',
      hint: 'Choose the coins by their ids, or with `coins: all`.',
    },
  )
}

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
