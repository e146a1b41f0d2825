import { errors } from 'undici'
import { expect, test } from 'vitest'
import { transportError } from '../../api/transport-error.ts'

const FACTS = { url: 'http://10.0.0.1/v2/ping', calls: 1, timeoutMs: 30_000 }

test('an address that takes no connection is none that can be reached', () => {
  const error = transportError(new errors.ConnectTimeoutError(), FACTS)
  expect(error).toMatchObject({ code: 'SOURCE_UNREACHABLE', exitCode: 4 })
  expect(error.message).toContain('UND_ERR_CONNECT_TIMEOUT')
})

test.for([new errors.HeadersTimeoutError(), new errors.BodyTimeoutError()])(
  '$code: the service is there and slow',
  (timeout) => {
    expect(transportError(timeout, FACTS)).toMatchObject({
      code: 'SOURCE_TIMEOUT',
      retryable: true,
    })
  },
)
