import { describe, expect, test, vi } from 'vitest'
import { createPacer } from '../../api/pacer.ts'
import { CHART, CHART_BODY, CHART_PARAMS, failure, MINUTE_MS, useService } from './use-service.ts'
import { freePort } from '../../engine/server/free-port.ts'

const service = useService()
const { connect } = service

describe('faults of the connection', () => {
  test('a reset before the answer is tried again, twice at most', async () => {
    service.server.answer((request, response) => {
      if (service.server.requests.length < 3) request.socket.resetAndDestroy()
      else response.end(CHART_BODY)
    })
    expect(await connect().get(CHART, CHART_PARAMS)).toMatchObject({ kind: 'ok', calls: 3 })
    service.server.answer((request) => request.socket.resetAndDestroy())
    const error = await failure(connect().get(CHART, CHART_PARAMS))
    expect(error).toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      retryable: true,
      facts: { calls: 3 },
    })
    expect(service.server.requests).toHaveLength(3)
  })

  test('a repetition that would have to wait for its permit is left to others', async () => {
    service.server.answer((request) => request.socket.resetAndDestroy())
    const pacer = createPacer({ rate: { calls: 6, perMs: MINUTE_MS } })
    const error = await failure(connect({ pacer }).get(CHART, CHART_PARAMS))
    expect(error.facts.calls).toBe(1)
    expect(service.server.requests).toHaveLength(1)
  })

  test('a reset in the middle of the body is not tried again', async () => {
    service.server.answer((_, response) => {
      response.writeHead(200, { 'content-length': 1_000 }).write('{"prices":[')
      setTimeout(() => response.destroy(), 20)
    })
    const error = await failure(connect().get(CHART, CHART_PARAMS))
    expect(error).toMatchObject({ code: 'SOURCE_UNAVAILABLE', retryable: true })
    expect(error.facts).toMatchObject({ status: 200, calls: 1 })
    expect(service.server.requests).toHaveLength(1)
  })

  test.each([
    ['no headers', () => undefined],
    ['half a body', (response: { write: (text: string) => unknown }) => response.write('{"pri')],
  ])('%s in time', async (_, begin) => {
    service.server.answer((request, response) => void begin(response))
    const startedAtMs = Date.now()
    const error = await failure(connect({ timeoutMs: 300 }).get(CHART, CHART_PARAMS))
    expect(error).toMatchObject({ code: 'SOURCE_TIMEOUT', retryable: true })
    expect(Date.now() - startedAtMs).toBeLessThan(3_000)
  })

  test('a body that drips for ever meets the deadline', async () => {
    service.server.answer((request, response) => {
      const drip = setInterval(() => response.write(' '), 50)
      request.socket.on('close', () => clearInterval(drip))
    })
    const error = await failure(connect({ timeoutMs: 150 }).get(CHART, CHART_PARAMS))
    expect(error.code).toBe('SOURCE_TIMEOUT')
  })

  test('nobody listens', async () => {
    const port = await freePort()
    const pacer = createPacer({ rate: { calls: 1_000, perMs: 1_000 } })
    const abandon = vi.spyOn(pacer, 'abandon')
    const client = connect({ rootUrl: `http://127.0.0.1:${port}/v2`, pacer })
    const onSent = vi.fn()
    const ask = () => failure(client.get(CHART, CHART_PARAMS, { onSent }))
    const error = await ask()
    expect(error).toMatchObject({ code: 'SOURCE_UNREACHABLE', exitCode: 4, facts: { calls: 0 } })
    expect(error.message).toContain('ECONNREFUSED')
    expect(abandon.mock.calls).toEqual([[false], [false], [false]])
    await Promise.all([ask(), ask(), ask()])
    // None of it is a call.
    expect(onSent).not.toHaveBeenCalled()
    expect(pacer.usage().calls).toBe(0)
  })

  test('a service that speaks http and is asked by https', async () => {
    const rootUrl = service.server.rootUrl.replace('http:', 'https:')
    const error = await failure(connect({ rootUrl }).get(CHART, CHART_PARAMS))
    expect(error).toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      retryable: false,
      facts: { calls: 0 },
    })
    expect(error.message).toMatch(/^the service speaks no TLS \(ERR_SSL_\w+\): GET https:/)
    expect(error.hint).toContain('http and not https')
  })
})
