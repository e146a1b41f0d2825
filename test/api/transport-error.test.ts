import { Agent, errors, request } from 'undici'
import { expect, test } from 'vitest'
import { BodyTooLarge } from '../../api/response-body.ts'
import { mayRetryAtOnce, transportError, wasSent } from '../../api/transport-error.ts'

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

const coded = (code: unknown, text = 'some words') => Object.assign(new Error(text), { code })

test.each([
  [coded('ETIMEDOUT'), 'SOURCE_TIMEOUT', true, '(30000 ms without progress)'],
  [new DOMException('late', 'TimeoutError'), 'SOURCE_TIMEOUT', true, '(not whole after 120000 ms)'],
  [new DOMException('gone', 'AbortError'), 'SOURCE_UNAVAILABLE', true, 'broke off (gone)'],
  [{ name: 'TimeoutError' }, 'SOURCE_UNAVAILABLE', true, 'the answer broke off ()'],
  [coded('CERT_HAS_EXPIRED'), 'SOURCE_UNREACHABLE', false, '(CERT_HAS_EXPIRED: some words)'],
  [coded('UNABLE_TO_VERIFY_LEAF'), 'SOURCE_UNREACHABLE', false, 'the certificate is not trusted'],
  [coded('ERR_TLS_HANDSHAKE'), 'SOURCE_UNREACHABLE', false, 'the certificate is not trusted'],
  [coded('X_ERR_TLS_'), 'SOURCE_UNAVAILABLE', true, 'broke off (some words)'],
  [coded('X_UNABLE_TO_'), 'SOURCE_UNAVAILABLE', true, 'broke off (some words)'],
  [coded('ERR_SSL_WRONG'), 'SOURCE_UNREACHABLE', false, 'speaks no TLS (ERR_SSL_WRONG)'],
  [coded('EPROTO'), 'SOURCE_UNREACHABLE', false, 'speaks no TLS (EPROTO)'],
  [coded('X_ERR_SSL_'), 'SOURCE_UNAVAILABLE', true, 'broke off (some words)'],
  [coded('EPROTOTYPE'), 'SOURCE_UNAVAILABLE', true, 'broke off (some words)'],
  [coded('XEPROTO'), 'SOURCE_UNAVAILABLE', true, 'broke off (some words)'],
  [coded('ECONNREFUSED'), 'SOURCE_UNREACHABLE', true, 'can be reached (ECONNREFUSED)'],
  [coded('ECONNRESET', ''), 'SOURCE_UNAVAILABLE', true, 'broke off (ECONNRESET)'],
  [coded(7), 'SOURCE_UNAVAILABLE', true, 'broke off (some words)'],
  [new BodyTooLarge(9), 'SOURCE_TOO_LARGE', false, ''],
  ['a text', 'SOURCE_UNAVAILABLE', true, 'broke off ()'],
  [null, 'SOURCE_UNAVAILABLE', true, 'broke off ()'],
])('%s is %s', (error, code, retryable, words) => {
  const found = transportError(error, FACTS)
  expect(found).toMatchObject({ code, retryable })
  expect(found.message).toContain(words)
  expect(found.cause).toBe(error)
})

test.each([
  [coded('ECONNRESET'), true],
  [coded('UND_ERR_SOCKET'), true],
  [coded('ENOTFOUND'), false],
  [coded(7), false],
  ['ECONNRESET', false],
  [null, false],
  [undefined, false],
])('%s may be cured by a new connection: %s', (error, isFault) => {
  expect(mayRetryAtOnce(error)).toBe(isFault)
  expect(wasSent(error)).toBe(true)
})
