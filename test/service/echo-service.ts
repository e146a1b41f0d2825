import { onTestFinished } from 'vitest'
import { frozenClock } from '../../config/clock.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import type { Service, ServiceOptions } from '../../service/app.ts'
import { startService } from '../../service/serve-http.ts'
import { plainService } from '../parts/serve-source.ts'

/** The time at which the echo service stands: not a whole second, to see that Date is cut. */
export const ECHO_NOW_MS = Date.parse('2024-05-06T07:08:09.500Z')

/**
 * A source that answers with what it was asked, so that a test sees which operation and parameters
 * arrived. The ids `unknown` and `broken` stand for a coin nobody knows and a fault inside.
 */
export function echoSource(): AnswerSource {
  return {
    clock: frozenClock(ECHO_NOW_MS),
    answer: async (operation, params) => {
      if (params['id'] === 'unknown') return { kind: 'not_found' }
      if (params['id'] === 'broken') throw new Error('secret inside: /var/lib/market.duckdb')
      return { kind: 'json', body: { operation, params } }
    },
    close: async () => {},
  }
}

export function echoService(options: Partial<ServiceOptions> = {}): Service {
  return plainService(echoSource(), options)
}

/** Serves it on a free port until the test ends. Returns the address. */
export async function serveEcho(
  options: Partial<ServiceOptions> = {},
  names: readonly string[] = [],
): Promise<string> {
  const server = await startService(echoService(options), { port: 0, names })
  onTestFinished(() => server.close())
  return server.url
}
