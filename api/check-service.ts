import { z } from 'zod'
import type { Profile } from '../config/profiles.ts'
import type { GetOptions, SourceAnswer, SourceClient } from './client.ts'
import {
  SourceDataError,
  type SourceError,
  SourceRequestError,
  SourceUnavailableError,
} from './errors.ts'
import { operations } from './operations.ts'

type Ping = Profile['ping']

/**
 * Asks `ping` once. The answer tells a wrong base URL from a service in trouble. A throttled answer also proves a
 * service. An answer without a status proves nothing, because no ping was sent.
 *
 * @param options `pings`: the answer must have one of these fields. Absent: any answer to a ping is good.
 * @throws SourceUnavailableError SOURCE_NOT_A_SERVICE: something else answers there.
 * @throws SourceUnavailableError SOURCE_UNREACHABLE: nothing answers.
 * @throws SourceAuthError: the service refuses the key.
 */
export async function checkService(
  client: SourceClient,
  { pings, ...getOptions }: GetOptions & { pings?: readonly Ping[] } = {},
): Promise<SourceAnswer> {
  try {
    const answer = await client.get(operations.ping, {}, getOptions)
    if (answer.kind === 'ok' && pings !== undefined) checkPing(answer.json, pings, answer.url)
    return answer
  } catch (error) {
    if (!provesNoService(error)) throw error
    const url = error.facts.url ?? `${client.rootUrl}/ping`
    const why = error.message.replace(`: GET ${url}`, '')
    throw new SourceUnavailableError(
      `no /v2 market-data service answers at ${client.rootUrl} (${why})`,
      {
        code: 'SOURCE_NOT_A_SERVICE',
        hint: 'Check source.base_url and source.profile (of `get`: --base-url, --profile): `ping` was not answered as the profile says.',
        retryable: false,
        url,
        ...(error.facts.status === null ? {} : { status: error.facts.status }),
        calls: error.facts.calls,
        cause: error,
      },
    )
  }
}

function provesNoService(error: unknown): error is SourceError {
  return (
    error instanceof SourceDataError ||
    error instanceof SourceRequestError ||
    (error instanceof SourceUnavailableError && error.code === 'SOURCE_NOT_JSON')
  )
}

function checkPing(json: unknown, pings: readonly Ping[], url: string): void {
  const body = z.record(z.string(), z.unknown()).parse(json)
  const isOneOf = pings.some(({ field, equals }) =>
    equals === null ? typeof body[field] === 'string' : body[field] === equals,
  )
  if (isOneOf) return
  const wanted = pings.map(({ field, equals }) =>
    equals === null ? `$.${field} a text` : `$.${field} ${JSON.stringify(equals)}`,
  )
  const what = `ping's answer does not have ${[...new Set(wanted)].join(' or ')}`
  throw new SourceDataError(what, { url, status: 200, calls: 1 })
}
