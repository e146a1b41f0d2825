import { z } from 'zod'
import type { SourceClient } from './client.ts'
import { SourceDataError, SourceRequestError, SourceUnavailableError } from './errors.ts'
import { operations } from './operations.ts'

/** What the answer to `ping` must hold; `equals` null = any text will do (config/profiles.ts). */
export interface PingFact {
  field: string
  equals: string | null
}

/**
 * Asks `ping` once, to tell a wrong base URL from a service in trouble before any work is planned.
 * A service that says "too many requests" is one.
 *
 * @throws SourceUnavailableError SOURCE_NOT_A_SERVICE when something else answers there, SOURCE_UNREACHABLE
 *   when nothing does; SourceAuthError when the key is refused.
 */
export async function checkService(
  client: SourceClient,
  options: { signal?: AbortSignal; ping?: PingFact } = {},
): Promise<void> {
  const { ping, ...getOptions } = options
  try {
    const answer = await client.get(operations.ping, {}, getOptions)
    if (answer.kind === 'ok' && ping !== undefined) checkPing(answer.json, ping, answer.url)
  } catch (error) {
    const isOther =
      error instanceof SourceDataError ||
      error instanceof SourceRequestError ||
      (error instanceof SourceUnavailableError && error.code === 'SOURCE_NOT_JSON')
    if (!isOther) throw error
    throw new SourceUnavailableError(`no /v2 market-data service answers at ${client.rootUrl}`, {
      code: 'SOURCE_NOT_A_SERVICE',
      hint: 'Check source.base_url and source.profile: `ping` was not answered as the profile says.',
      retryable: false,
      url: `${client.rootUrl}/ping`,
      ...(error.facts.status === null ? {} : { status: error.facts.status }),
      calls: error.facts.calls,
      cause: error,
    })
  }
}

function checkPing(json: unknown, ping: PingFact, url: string): void {
  const value = z.record(z.string(), z.unknown()).parse(json)[ping.field]
  if (ping.equals === null ? typeof value === 'string' : value === ping.equals) return
  const wanted = ping.equals === null ? 'a text' : JSON.stringify(ping.equals)
  throw new SourceDataError(`$.${ping.field} is not ${wanted}`, { url, status: 200, calls: 1 })
}
