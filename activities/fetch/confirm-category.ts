import { SourceRequestError } from '../../api/errors.ts'
import { ConfigError } from '../../config/config-error.ts'
import { askSource } from './ask-source.ts'
import type { AskDeps, SourceRequest, ThrottledAnswer } from './ask-source.ts'
import { SERVED_CODES } from './lost-requests.ts'
import type { PageLimits } from './page-limits.ts'

/**
 * Proves that the service filters by category: the interface does not name this parameter, so a service may ignore it.
 * One request asks for an impossible category. An empty answer or a refusal is the proof.
 *
 * @returns null, or the source's 429.
 * @throws ConfigError CATEGORY_NOT_HEEDED
 */
export async function confirmCategory(
  deps: AskDeps,
  request: SourceRequest,
  limits: PageLimits,
): Promise<ThrottledAnswer | null> {
  const { order: _order, ...params } = request.params
  const category = `${request.params['category']}-no-such-category`
  const probe = { ...request, params: { ...params, category, per_page: '1', page: '1' } }
  try {
    return await askSource(deps, probe, limits, async (answer) => {
      await answer.recordLost(SERVED_CODES.categoryProbe)
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
