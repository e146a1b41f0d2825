import type { ErrorBody } from './error-body.ts'
import {
  SourceAuthError,
  type SourceError,
  type SourceErrorFacts,
  SourcePlanError,
  SourceRequestError,
  SourceUnavailableError,
} from './errors.ts'

const KEY_MISSING = 10_002
/** The key belongs to the host of other plans. */
const WRONG_HOST: ReadonlySet<number | null> = new Set([10_010, 10_011])
/** The endpoint, the range or the number of items is outside the key's plan. */
const OUTSIDE_PLAN: ReadonlySet<number | null> = new Set([10_005, 10_012])

const WRONG_HOST_HINT =
  'The key belongs to another host of this provider: set source.profile to the plan of the key.'
const EDGE_HINT =
  'The network edge of the service refuses this caller, not the key: check the proxy and the IP address.'

const REDIRECT_HINT =
  "Redirects to another host are not followed, because the key would go there, nor is a chain of more than three. Set source.base_url to the service's current address. If the redirect leads to a login or web page, that is not the address."
const MAX_TARGET_CHARS = 200

/** Host and path of a redirect. Query and user may be secrets and are left out. */
function redirectTarget(location: string | null, from: string): string | null {
  if (location === null || !URL.canParse(location, from)) return null
  const { protocol, host, pathname } = new URL(location, from)
  return `${protocol}//${host}${pathname}`.slice(0, MAX_TARGET_CHARS)
}

/**
 * The error for a refused request that is not throttled. The code in the body outranks the status. A key sent to the
 * wrong host gets 400, a range outside the plan 401.
 *
 * @param request `location`: the header of a redirect
 */
export function classifyError(
  status: number,
  body: ErrorBody,
  request: { url: string; calls: number; location?: string | null },
): SourceError {
  const serviceMessage = body.message === '' ? '' : `: ${body.message}`
  const code = body.bodyCode === null ? '' : ` (code ${body.bodyCode})`
  const { location, ...asked } = request
  const facts: SourceErrorFacts = { ...asked, status }
  const message = (what: string): string => `${what}, HTTP ${status}${code}${serviceMessage}`

  if (body.bodyCode === KEY_MISSING) {
    return new SourceAuthError(message('the source wants a key'), facts)
  }
  if (WRONG_HOST.has(body.bodyCode)) {
    const text = message('the source does not take this kind of key')
    return new SourceAuthError(text, { ...facts, hint: WRONG_HOST_HINT })
  }
  if (OUTSIDE_PLAN.has(body.bodyCode)) {
    return new SourcePlanError(message("outside the key's plan"), facts)
  }
  if (status >= 300 && status < 400) {
    const to = redirectTarget(location ?? null, request.url)
    const where = to === null ? 'to an address that it does not name' : `to ${to}`
    return new SourceRequestError(message(`the source redirects ${where}`), {
      ...facts,
      code: 'SOURCE_REDIRECTED',
      hint: REDIRECT_HINT,
    })
  }
  return byStatus(effectiveStatus(status, body), body, message, facts)
}

/** The real status of a refusal. With a good HTTP status the body names it, else 404 or 400 by its text. */
function effectiveStatus(status: number, body: ErrorBody): number {
  if (status >= 300) return status
  const bodyCode = body.bodyCode ?? status
  if (bodyCode >= 400 && bodyCode < 600) return bodyCode
  return /\bnot? f(ou|i)nd\b/i.test(body.message) ? 404 : 400
}

function byStatus(
  status: number,
  body: ErrorBody,
  message: (what: string) => string,
  facts: SourceErrorFacts,
): SourceError {
  if (status === 401 || status === 403) {
    const hint = body.isJson ? {} : { hint: EDGE_HINT }
    return new SourceAuthError(message('the source refuses the key'), { ...facts, ...hint })
  }
  if (status === 404) {
    return new SourceRequestError(message('the source does not know what was asked for'), {
      ...facts,
      code: 'SOURCE_NOT_FOUND',
      hint: body.isJson
        ? 'Check the id; coins vanish and change ids (see coins/list).'
        : 'Check source.base_url: no such service answers there.',
    })
  }
  if (status === 408) {
    const text = message('the source gave up waiting')
    return new SourceUnavailableError(text, { ...facts, code: 'SOURCE_TIMEOUT' })
  }
  if (status >= 500) {
    return new SourceUnavailableError(message('the source is in trouble'), facts)
  }
  return new SourceRequestError(message('the source finds the request wrong'), facts)
}
