import { operations } from '../../api/operations.ts'
import { frozenClock } from '../../config/clock.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { createService } from '../../service/app.ts'
import type { Service, ServiceOptions } from '../../service/app.ts'

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
  return createService({
    source: echoSource(),
    operations: Object.values(operations),
    keys: null,
    quota: null,
    ...options,
  })
}
