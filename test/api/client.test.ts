import { describe, expect, test } from 'vitest'
import { operations } from '../../api/operations.ts'
import { createPacer } from '../../api/pacer.ts'
import {
  CHART,
  CHART_BODY,
  CHART_PARAMS,
  failure,
  KEY,
  MINUTE_MS,
  useService,
} from './use-service.ts'
import { runLongStep } from '../../config/long-step.ts'

const service = useService()
const { connect } = service

describe('a good answer', () => {
  test('carries bytes, JSON, times, and was asked for properly', async () => {
    const date = 'Sat, 15 May 2021 00:00:00 GMT'
    service.server.answer((_, response) => {
      const rate = { 'X-RateLimit-Limit': 30, 'X-RateLimit-Remaining': 29, 'X-RateLimit-Reset': 60 }
      response.writeHead(200, { ...rate, date }).end(CHART_BODY)
    })
    const permits: number[] = []
    const answer = await connect().get(CHART, CHART_PARAMS, { onSent: () => permits.push(1) })
    expect(answer).toMatchObject({
      kind: 'ok',
      url: `${service.server.rootUrl}/coins/bitcoin/market_chart?vs_currency=usd&days=1`,
      status: 200,
      calls: 1,
      dateMs: Date.UTC(2021, 4, 15),
      json: JSON.parse(CHART_BODY) as unknown,
      rate: { limit: 30, remaining: 29, windowMs: MINUTE_MS },
    })
    expect(answer.kind === 'ok' && Buffer.from(answer.body).toString()).toBe(CHART_BODY)
    expect(permits).toHaveLength(1)
    const [asked] = service.server.requests
    expect(asked?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'user-agent': 'coinlake/0.1.0',
      'accept-encoding': 'gzip, br, zstd',
    })
    expect(JSON.stringify(answer)).not.toContain(KEY)
  })

  test('connections are kept', async () => {
    service.server.answer((_, response) => response.end(CHART_BODY))
    const client = connect()
    for (let i = 0; i < 10; i++) await client.get(CHART, CHART_PARAMS)
    // The pool may open a second one before the first is free again.
    const ports = new Set(service.server.requests.map((request) => request.socket.remotePort))
    expect(ports.size).toBeLessThanOrEqual(2)
  })
})

describe('an answer that is none', () => {
  const html = { 'content-type': 'text/html' }
  test.each([
    ['wrong key', 401, {}, '{"error":"invalid API key"}', 'SOURCE_AUTH'],
    ['trouble', 500, {}, '{"status":500,"error":"x"}', 'SOURCE_UNAVAILABLE'],
    ['a page with a good status', 200, html, '<!DOCTYPE html><html>', 'SOURCE_NOT_JSON'],
    ['an empty body', 200, {}, '', 'SOURCE_NOT_JSON'],
    ['JSON that ends early', 200, {}, CHART_BODY.slice(0, -5), 'SOURCE_UNAVAILABLE'],
    ['an error with a good status', 200, {}, '{"error":"coin not found"}', 'SOURCE_NOT_FOUND'],
    ['another shape', 200, {}, '{"prices":{}}', 'SOURCE_DATA'],
    ['a broken archive', 200, { 'content-encoding': 'gzip' }, 'no gzip', 'SOURCE_UNAVAILABLE'],
    ['an unknown encoding', 200, { 'content-encoding': 'zstd' }, 'x', 'SOURCE_UNAVAILABLE'],
    ['a redirect elsewhere', 302, { location: 'http://127.0.0.1:9/' }, '', 'SOURCE_REDIRECTED'],
  ])('%s: %i', async (_, status, headers, body, code) => {
    service.server.answer((request, response) => {
      response.writeHead(status, headers as Record<string, string>).end(body)
    })
    const error = await failure(connect().get(CHART, CHART_PARAMS))
    expect(error.code).toBe(code)
    expect(error.facts).toMatchObject({ status, calls: 1 })
    expect(error.message.endsWith(`: GET ${error.facts.url}`)).toBe(true)
    expect(service.server.requests).toHaveLength(1)
  })

  test.each(['{}', '{"prices":null}', '{"status":"OK"}', '[]'])('%s is no chart', async (body) => {
    service.server.answer((_, response) => response.end(body))
    expect((await failure(connect().get(CHART, CHART_PARAMS))).code).toBe('SOURCE_DATA')
  })

  test.each(['prices', 'market_caps', 'total_volumes'])('%s alone is one', async (key) => {
    service.server.answer((_, response) => response.end(`{"${key}":[[1,2]]}`))
    expect(await connect().get(CHART, CHART_PARAMS)).toMatchObject({ kind: 'ok' })
  })

  test('the path in the body is named', async () => {
    service.server.answer((_, response) => response.end('{"name":"Kraken","tickers":null}'))
    const tickers = operations['exchanges/{id}/tickers']
    const error = await failure(connect().get(tickers, { id: 'kraken' }))
    expect(error.message).toContain('exchanges/{id}/tickers: $.tickers: ')
  })

  test('a body that repeats the key does not carry it on', async () => {
    for (const status of [401, 200]) {
      service.server.answer((_, response) => {
        response.writeHead(status).end(JSON.stringify({ error: `bad key ${KEY}` }))
      })
      const error = await failure(connect().get(CHART, CHART_PARAMS))
      expect(error.message).toContain('bad key [secret]')
      expect(JSON.stringify(error)).not.toContain(KEY)
    }
  })

  test('an error body is looked at no further than 64 KiB, and in linear time', async () => {
    const megabyte = (text: string): string => text.repeat(1_200_000 / text.length)
    for (const text of ['<title', 'error<', 'error <b> ', '<title>x', ' ', '{"error":"', '[']) {
      for (const status of [502, 200]) {
        service.server.answer((_, response) => response.writeHead(status).end(megabyte(text)))
        const error = await failure(connect().get(CHART, CHART_PARAMS))
        expect(error).toMatchObject({ retryable: true, facts: { status, calls: 1 } })
        expect(error.message.length).toBeLessThan(600)
      }
    }
    service.server.answer((_, response) => {
      response.writeHead(503).write('<html><title>Away</title>'.padEnd(70_000))
    })
    expect((await failure(connect().get(CHART, CHART_PARAMS))).message).toContain('"Away"')
  }, 20_000)

  test('a body larger than the limit', async () => {
    service.server.answer((_, response) => response.end('x'.repeat(1_001)))
    const error = await failure(connect({ maxBodyBytes: 1_000 }).get(CHART, CHART_PARAMS))
    expect(error.code).toBe('SOURCE_TOO_LARGE')
  })
})

describe('too many requests', () => {
  test.each([
    ['Retry-After in seconds', 429, { 'retry-after': '7' }, '{"error":"slow"}', 7_000],
    ['Retry-After and Reset', 429, { 'retry-after': '7', 'x-ratelimit-reset': '30' }, '', 7_000],
    ['Reset only', 429, { 'x-ratelimit-reset': '30', 'x-ratelimit-remaining': '0' }, '', 30_000],
    ['nothing told', 429, {}, 'Throttled', MINUTE_MS],
    ['Retry-After: 0', 429, { 'retry-after': '0' }, '', 1_000],
    ['a day', 429, { 'retry-after': '86400' }, '', 15 * MINUTE_MS],
    ['in the body', 200, {}, '{"status":{"error_code":429}}', MINUTE_MS],
    ['text with a good status', 200, { 'retry-after': '3' }, 'Throttled', 3_000],
    ['banned by the edge', 403, {}, 'error code: 1015', 15 * MINUTE_MS],
  ])('%s: an answer, after which nobody asks', async (_, status, headers, body, waitMs) => {
    service.server.answer((request, response) => {
      response.writeHead(status, headers as Record<string, string>).end(body)
    })
    const client = connect()
    const beforeMs = Date.now()
    const answer = await client.get(CHART, CHART_PARAMS)
    expect(answer).toMatchObject({ kind: 'throttled', status, calls: 1 })
    const { untilMs } = answer as { untilMs: number }
    expect(untilMs - beforeMs).toBeGreaterThanOrEqual(waitMs)
    expect(untilMs - beforeMs).toBeLessThan(waitMs + 2_000)
    if (waitMs <= 10_000) return
    const again = await client.get(CHART, CHART_PARAMS)
    expect(again).toMatchObject({ kind: 'throttled', untilMs, status: null, calls: 0 })
    expect(service.server.requests).toHaveLength(1)
  })

  test('headers that say nothing remains hold the next request back', async () => {
    const used = {
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '40',
    }
    service.server.answer((_, response) => response.writeHead(200, used).end(CHART_BODY))
    const client = connect()
    expect(await client.get(CHART, CHART_PARAMS)).toMatchObject({ kind: 'ok' })
    expect(await client.get(CHART, CHART_PARAMS)).toMatchObject({ kind: 'throttled', calls: 0 })
    expect(service.server.requests).toHaveLength(1)
  })

  test('a refusal whose reset is a penalty does not make later windows longer', async () => {
    const headersOf = (reset: string) => ({
      'x-ratelimit-limit': '3000',
      'x-ratelimit-reset': reset,
    })
    service.server.answer((request, response) => {
      const isRefused = request.url!.includes('ethereum')
      const headers = headersOf(isRefused ? '3600' : '50')
      if (isRefused) response.writeHead(400, headers).end('{"error":"no"}')
      else response.writeHead(200, headers).end(CHART_BODY)
    })
    const client = connect()
    await failure(client.get(CHART, { ...CHART_PARAMS, id: 'ethereum' }))
    const answer = await client.get(CHART, CHART_PARAMS)
    expect(answer).toMatchObject({ kind: 'ok', rate: { windowMs: MINUTE_MS } })
  })

  const OTHER_PARAMS = { ...CHART_PARAMS, id: 'ethereum' }

  test('trouble of one page with Retry-After holds no other page up', async () => {
    service.server.answer((request, response) => {
      if (request.url!.includes('ethereum')) response.end(CHART_BODY)
      else response.writeHead(503, { 'retry-after': '120' }).end()
    })
    const client = connect()
    for (let i = 0; i < 2; i++) {
      const error = await failure(client.get(CHART, CHART_PARAMS))
      expect(error).toMatchObject({ retryable: true })
      expect(error.retryAtMs! - Date.now()).toBeGreaterThan(110_000)
      expect(await client.get(CHART, OTHER_PARAMS)).toMatchObject({ kind: 'ok' })
    }
  })

  test('trouble of two pages in a row with Retry-After is that of the service: nobody asks before', async () => {
    service.server.answer((_, response) => response.writeHead(503, { 'retry-after': '120' }).end())
    const client = connect()
    await failure(client.get(CHART, CHART_PARAMS))
    await failure(client.get(CHART, OTHER_PARAMS))
    expect(await client.get(CHART, CHART_PARAMS)).toMatchObject({ kind: 'throttled', calls: 0 })
    expect(service.server.requests).toHaveLength(2)
  })
})

test('a stop of sending ends the wait for a permit, and its reason comes out', async () => {
  service.server.answer((_, response) => response.end(CHART_BODY))
  const client = connect({ pacer: createPacer({ rate: { calls: 1, perMs: MINUTE_MS } }) })
  await client.get(CHART, CHART_PARAMS)
  const stop = AbortSignal.timeout(20)
  const asked = client.get(CHART, CHART_PARAMS, { sendingStop: () => stop })
  await expect(asked).rejects.toThrow(/timeout/i)
  expect(service.server.requests).toHaveLength(1)
})

describe('proxies', () => {
  test('are used for other hosts, and never for this machine', async () => {
    service.server.answer((_, response) => response.end(CHART_BODY))
    const env = { HTTP_PROXY: `http://127.0.0.1:${service.server.port}` }
    await connect({ rootUrl: 'http://service.invalid/v2', env }).get(CHART, CHART_PARAMS)
    expect(service.server.requests[0]?.url).toMatch(/^http:\/\/service\.invalid\/v2\/coins\/b/)
    await connect({ env: { HTTP_PROXY: 'http://127.0.0.1:9' } }).get(CHART, CHART_PARAMS)
    expect(service.server.requests[1]?.url).toMatch(/^\/v2\/coins\/bitcoin/)
  })

  test('NO_PROXY is heeded', async () => {
    service.server.answer((_, response) => response.end(CHART_BODY))
    const env = { HTTP_PROXY: `http://127.0.0.1:${service.server.port}`, NO_PROXY: '.invalid' }
    const client = connect({ rootUrl: 'http://service.invalid/v2', env })
    const error = await failure(client.get(CHART, CHART_PARAMS))
    expect(error.code).toBe('SOURCE_UNREACHABLE')
    expect(service.server.requests).toHaveLength(0)
  })
})

test('certificates that cannot be read are a matter of the configuration', () => {
  expect(() => connect({ caFile: '/nowhere/ca.pem' })).toThrow(
    expect.objectContaining({ code: 'CONFIG_BAD_CA_FILE', exitCode: 2 }),
  )
})

test('a refusal stops all callers, though long steps of other answers wait for their turn', async () => {
  service.server.answer((_, response) => response.writeHead(429).end())
  const client = connect()
  let isStepDone = false
  const steps = Array.from({ length: 50 }, () =>
    runLongStep(
      () => 'rows',
      () => hold(5),
    ),
  )
  void steps.at(-1)!.then(() => (isStepDone = true))
  expect(await client.get(CHART, CHART_PARAMS)).toMatchObject({ kind: 'throttled', calls: 1 })
  expect(isStepDone).toBe(false)
  await Promise.all(steps)
})

function hold(ms: number): void {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}
