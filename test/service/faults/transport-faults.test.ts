import { afterAll, expect, test } from 'vitest'
import { asking, MARKET_NOW_MS, simulated } from '../tiny-market.ts'
import { askSocket, serveFaulty } from '../../parts/faulty-service.ts'

const CHART = 'coins/bitcoin/market_chart?vs_currency=usd&days=7'
const source = simulated(afterAll)
const good = JSON.stringify((await asking(source)(CHART)).body)

// Sliding: a fixed window of the real clock may end between two calls of a test.
const RESET_IN_2_S = String(Math.ceil(MARKET_NOW_MS / 1_000 + 2))
const quota = { calls: 10, perMs: 86_400_000 }

test.each(['rate_status', 'rate_body'])(
  '%s: told in every way, and no call is spent',
  async (fault) => {
    const status = fault === 'rate_status' ? 429 : 200
    for (const told of ['retry_after', 'reset', 'nothing']) {
      const order = `- { fault: ${fault}, told: ${told}, wait_ms: 2000, times: 1 }`
      const { ask, log } = await serveFaulty(source, order, { quota })
      const { headers, text, ...reply } = await ask(CHART)
      expect(reply).toEqual({ status, error: null })
      expect(text).toMatch(/rate limit of 10 calls/)
      if (fault === 'rate_body') {
        expect(JSON.parse(text)).toMatchObject({ status: { error_code: 429 } })
      }
      expect(headers['retry-after']).toBe(told === 'retry_after' ? '2' : undefined)
      const isTold = told !== 'nothing'
      expect(headers['x-ratelimit-reset']).toBe(isTold ? RESET_IN_2_S : undefined)
      expect(headers['x-ratelimit-remaining']).toBe(isTold ? '0' : undefined)
      expect(headers['cache-control']).toBe('no-store')
      const next = await ask(CHART)
      expect([next.status, next.text]).toEqual([200, good])
      expect(next.headers['x-ratelimit-remaining']).toBe('9')
      expect(log).toMatchObject([{ status, injected: [fault] }, { status: 200 }])
      expect(log[1]?.injected).toBeUndefined()
    }
  },
)

test('server_error: 500 with an error body, gateways with a page; the call is counted', async () => {
  const { ask } = await serveFaulty(source, '- fault: server_error', { quota })
  const seen = new Map<number, string>()
  for (let day = 1; day <= 8; day++) {
    const path = CHART.replace('7', String(day))
    const { status, headers, text } = await ask(path)
    expect(headers['x-ratelimit-remaining']).toBe(String(10 - day))
    if (status === 500) expect(JSON.parse(text)).toEqual({ error: 'Internal Server Error' })
    else
      expect([headers['content-type'], text]).toEqual([
        expect.stringContaining('text/html'),
        expect.stringContaining(`<title>${status}`),
      ])
    seen.set(status, text)
  }
  expect(seen.size).toBeGreaterThan(1)
  for (const status of seen.keys()) expect([500, 502, 503, 504]).toContain(status)
  const fixed = await serveFaulty(source, '- { fault: server_error, status: 521 }')
  expect((await fixed.ask(CHART)).status).toBe(521)
})

test('slow_first_byte: the good answer comes, not before its time', async () => {
  const { ask } = await serveFaulty(source, '- { fault: slow_first_byte, wait_ms: 150 }')
  const startedMs = performance.now()
  expect(await ask(CHART)).toMatchObject({ status: 200, text: good, error: null })
  expect(performance.now() - startedMs).toBeGreaterThan(140)
})

test.each([{}, { 'accept-encoding': 'gzip' }])(
  'stalled_body: half of the body, silence, the rest (%j)',
  async (headers) => {
    const { url } = await serveFaulty(source, '- { fault: stalled_body, wait_ms: 300 }')
    const pieces: number[] = []
    const response = await fetch(`${url}/v2/${CHART}`, {
      headers: { 'accept-encoding': 'identity', ...headers },
    })
    for await (const piece of response.body!) pieces.push((piece as Uint8Array).byteLength)
    expect(pieces.length).toBeGreaterThan(1)
    const whole = await askSocket(`${url}/v2/${CHART}`, headers)
    expect(whole).toMatchObject({ status: 200, text: good, error: null })
  },
)

test('stalled_body: a service that closes does not wait for it', async () => {
  const { url } = await serveFaulty(source, '- { fault: stalled_body, wait_ms: 3600000 }')
  const gone = new AbortController()
  const response = await fetch(`${url}/v2/${CHART}`, { signal: gone.signal })
  const reader = response.body!.getReader()
  expect((await reader.read()).value?.byteLength).toBeGreaterThan(0)
  gone.abort()
  await expect(reader.read()).rejects.toThrow(/abort/)
})

test('reset: no answer, and the log says so', async () => {
  const { ask, log } = await serveFaulty(source, '- { fault: reset, times: 2 }')
  for (const _ of [1, 2]) {
    expect(await ask(CHART)).toEqual({ status: 0, headers: {}, text: '', error: 'ECONNRESET' })
  }
  expect((await ask(CHART)).text).toBe(good)
  expect(log.map(({ status, injected }) => [status, injected])).toEqual([
    [0, ['reset']],
    [0, ['reset']],
    [200, undefined],
  ])
})

test('reset_in_body: good headers and half of the body', async () => {
  const { ask } = await serveFaulty(source, '- fault: reset_in_body')
  const { status, headers, text, error } = await ask(CHART)
  expect([status, error]).toEqual([200, 'ECONNRESET'])
  expect(headers['content-length']).toBe(String(good.length))
  expect(text).toBe(good.slice(0, Math.ceil(good.length / 2)))
})

test('key_revoked: after so many calls every key is refused, at no cost', async () => {
  const { ask, injected } = await serveFaulty(source, '- { fault: key_revoked, after: 2 }', {
    quota,
  })
  const statuses: number[] = []
  let left: string | string[] | undefined
  for (const days of [1, 2, 3, 4]) {
    const reply = await ask(CHART.replace('7', String(days)))
    statuses.push(reply.status)
    left = reply.headers['x-ratelimit-remaining']
    if (reply.status === 401) expect(reply.text).toMatch(/invalid API key/)
  }
  expect([statuses, left]).toEqual([[200, 200, 401, 401], '8'])
  expect(injected()).toEqual(['', '', 'key_revoked', 'key_revoked'])
})

test('plan_reach: what lies too far back, and nothing else', async () => {
  const { ask } = await serveFaulty(source, '- { fault: plan_reach, days: 10 }')
  expect((await ask(CHART)).text).toBe(good)
  const refused = await ask(CHART.replace('days=7', 'days=11'))
  expect(refused.status).toBe(401)
  expect(JSON.parse(refused.text)).toMatchObject({ error: { status: { error_code: 10_012 } } })
})

test('clock_skew: Date and the reset are off, beside another fault', async () => {
  const faults =
    '- { fault: clock_skew, skew_ms: -600000 }\n- { fault: server_error, times: 1, status: 500 }'
  const { ask, injected } = await serveFaulty(source, faults, { quota })
  const honest = await (await serveFaulty(source, '', { quota })).ask(CHART)
  for (const status of [500, 200]) {
    const reply = await ask(CHART)
    expect(reply.status).toBe(status)
    const wholeNowMs = Math.floor(MARKET_NOW_MS / 1_000) * 1_000
    expect(Date.parse(reply.headers.date ?? '')).toBe(wholeNowMs - 600_000)
    const told = (headers: typeof reply.headers): number => Number(headers['x-ratelimit-reset'])
    const skewS = told(reply.headers) - told(honest.headers)
    // The window moves on with the real time between two answers.
    expect(Math.abs(skewS + 600)).toBeLessThan(61)
  }
  expect(injected()).toEqual(['clock_skew+server_error', 'clock_skew'])
})

test('limit_change: in mid-run, once, for every caller', async () => {
  const faults = '- { fault: limit_change, after: 2, limit: 1/1d }'
  const { ask, injected } = await serveFaulty(source, faults, { quota })
  const replies = []
  for (const days of [1, 2, 3, 4, 5]) replies.push(await ask(CHART.replace('7', String(days))))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
  expect(replies.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual([
    '10',
    '10',
    '10',
    '1',
    '1',
  ])
  expect(injected()).toEqual(['', '', 'limit_change', '', ''])
})
