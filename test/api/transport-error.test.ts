import { Agent, errors, request } from 'undici'
import { expect, test } from 'vitest'
import { transportError, wasSent } from '../../api/transport-error.ts'

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

test.for(['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'])(
  '%s on a connection that was made: the request may have been answered, and is a call',
  (code) => {
    expect(wasSent(Object.assign(new Error(code), { code }))).toBe(true)
  },
)

test.for(['ERR_SSL_WRONG_VERSION_NUMBER', 'ETIMEDOUT'])(
  '%s of all addresses that were tried: no request has left',
  async (code) => {
    const error = Object.assign(new AggregateError([new Error(code)]), { code })
    const agent = new Agent({ connect: (_, done) => done(error, null) })
    const failed = await request(FACTS.url, { dispatcher: agent }).catch(
      (reason: unknown) => reason,
    )
    expect(failed).toBe(error)
    expect(wasSent(failed)).toBe(false)
    await agent.close()
  },
)
