import { describe, expect, test } from 'vitest'
import { createKeyRing } from '../../service/callers/key-ring.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { askSocket } from '../parts/faulty-service.ts'
import { ECHO_NOW_MS, echoService, serveEcho } from './echo-service.ts'

describe('good requests', () => {
  test.each([
    ['/v2/coins/list', 'coins/list', { include_platform: 'false', status: 'active' }],
    ['/v2/exchanges/list', 'exchanges/list', { status: 'active' }],
    ['/v2/exchange_rates', 'exchange_rates', {}],
    ['/v2/exchanges?per_page=3', 'exchanges', { per_page: '3', page: '1' }],
    ['/v2/exchanges/?per_page=250', 'exchanges', { per_page: '250', page: '1' }],
    ['/v2/coins/_/ohlc?vs_currency=usd&days=7', 'coins/{id}/ohlc', idParams('_', '7')],
    [
      '/v2/coins/1move%20token/ohlc?vs_currency=usd&days=7',
      'coins/{id}/ohlc',
      idParams('1move token', '7'),
    ],
    [
      '/v2/coins/boringdao-%5Bold%5D/market_chart?vs_currency=usd&days=max',
      'coins/{id}/market_chart',
      idParams('boringdao-[old]', 'max'),
    ],
    [
      '/v2/coins/a%2Fb%25c%F0%9D%95%8F/market_chart?vs_currency=usd&days=2',
      'coins/{id}/market_chart',
      idParams('a/b%c𝕏', '2'),
    ],
    [
      '/v2/coins/bitcoin/market_chart/range?vs_currency=usd&from=1&to=2',
      'coins/{id}/market_chart/range',
      { id: 'bitcoin', vs_currency: 'usd', from: '1', to: '2' },
    ],
    // No UTF-8: taken as it is written, and not a fault.
    [
      '/v2/coins/%E0%A4%A/ohlc?vs_currency=usd&days=7',
      'coins/{id}/ohlc',
      idParams('%E0%A4%A', '7'),
    ],
    // A coin with the id of a fixed segment is reachable only below it.
    ['/v2/coins/list/ohlc?vs_currency=usd&days=1', 'coins/{id}/ohlc', idParams('list', '1')],
  ])('%s', async (path, operation, params) => {
    const reply = await askSocket(`${await serveEcho()}${path}`)
    expect(reply.status).toBe(200)
    expect(JSON.parse(reply.text)).toEqual({ operation, params })
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test('coins/markets is not the coin with the id "markets"; its defaults are filled in', async () => {
    const reply = await askSocket(`${await serveEcho()}/v2/coins/markets?vs_currency=usd`)
    expect(JSON.parse(reply.text)).toMatchObject({
      operation: 'coins/markets',
      params: { per_page: '100', page: '1', order: 'market_cap_desc' },
    })
  })
})

function idParams(id: string, days: string): Record<string, string> {
  return { id, vs_currency: 'usd', days }
}

test('a fault inside is a 500 that shows nothing of it; the log has it', async () => {
  const entries: RequestEntry[] = []
  const url = await serveEcho({ log: (entry) => entries.push(entry) })
  const reply = await askSocket(`${url}/v2/coins/broken/ohlc?vs_currency=usd&days=7`)
  expect(reply.status).toBe(500)
  expect(reply.text).toBe('{"error":"Internal Server Error"}')
  expect(String(entries[0]?.fault)).toContain('market.duckdb')
})

describe('keys', () => {
  const keys = createKeyRing(['good-key', 'other-key'])

  test.each([
    [200, { authorization: 'Bearer good-key' }],
    [200, { authorization: 'bearer   other-key' }],
    [401, {}],
    [401, { authorization: 'Bearer wrong' }],
    [401, { authorization: 'Bearer good-key2' }],
    [401, { authorization: 'good-key' }],
    [401, { authorization: 'Basic good-key' }],
    [401, { authorization: 'Bearer' }],
  ])('%d for %j', async (status, headers) => {
    const reply = await askSocket(`${await serveEcho({ keys })}/v2/ping`, { ...headers })
    expect(reply.status).toBe(status)
    if (status === 401) expect(reply.text).toMatch(/invalid API key.*valid key/)
  })

  test('without keys any key or none is accepted', async () => {
    const url = await serveEcho()
    expect((await askSocket(`${url}/v2/ping`)).status).toBe(200)
    const reply = await askSocket(`${url}/v2/ping`, { authorization: 'Bearer whatever' })
    expect(reply.status).toBe(200)
  })
})

describe('headers', () => {
  test('Date is the source clock in whole seconds, on good and bad answers', async () => {
    const url = await serveEcho()
    const expected = new Date(Math.floor(ECHO_NOW_MS / 1000) * 1000).toUTCString()
    expect((await askSocket(`${url}/v2/ping`)).headers.date).toBe(expected)
    expect((await askSocket(`${url}/v2/nothing`)).headers.date).toBe(expected)
  })

  test.each([
    ['gzip', true],
    ['br, gzip;q=0.5', true],
    ['*', true],
    ['gzip;q=0', false],
    ['gzip;q=0, *', false],
    ['*, gzip;q=0.0', false],
    ['*;q=0, gzip', true],
    ['identity', false],
  ])('accept-encoding %s', async (accept, isPacked) => {
    const path = `/v2/coins/markets?vs_currency=usd&ids=${'bitcoin,'.repeat(200)}x`
    const reply = await askSocket(`${await serveEcho()}${path}`, { 'accept-encoding': accept })
    expect(reply.headers['content-encoding']).toBe(isPacked ? 'gzip' : undefined)
    expect(reply.headers.vary).toBe('Accept-Encoding')
    expect(JSON.parse(reply.text)).toMatchObject({ operation: 'coins/markets' })
  })

  test.each(['ping', 'nothing'])('HEAD of %s has the headers of GET and no body', async (path) => {
    const url = `${await serveEcho()}/v2/${path}`
    const [get, head] = [await askSocket(url), await askSocket(url, {}, 'HEAD')]
    expect([head.status, head.text]).toEqual([get.status, ''])
    expect(Object.keys(head.headers).toSorted()).toEqual(Object.keys(get.headers).toSorted())
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)))
  })
})

test('the log names operation, status and query, and hides keys in it', async () => {
  const entries: RequestEntry[] = []
  const service = echoService({ log: (entry) => entries.push(entry) })
  await service.app.request('/v2/exchanges?per_page=2&x_cg_demo_api_key=hush')
  await service.app.request('/v2/exchanges?page=x', { headers: { authorization: 'Bearer hush' } })
  await service.app.request('/v2/nothing')
  expect(entries.map(({ status, operation, query }) => [status, operation, query])).toEqual([
    [400, 'exchanges', 'per_page=2&x_cg_demo_api_key=***'],
    [400, 'exchanges', 'page=x'],
    [404, null, ''],
  ])
  expect(JSON.stringify(entries)).not.toContain('hush')
})

test('latency delays every answer', async () => {
  const url = await serveEcho({ latencyMs: 80 })
  const startedMs = performance.now()
  await askSocket(`${url}/v2/ping`)
  expect(performance.now() - startedMs).toBeGreaterThan(75)
})

test.each([
  ['coins/list', 300],
  ['coins/bitcoin/market_chart?vs_currency=usd&days=1', 30],
  ['coins/bitcoin/market_chart?vs_currency=usd&days=90', 1_800],
  ['coins/bitcoin/market_chart?vs_currency=usd&days=max', 43_200],
  ['coins/bitcoin/market_chart?vs_currency=usd&days=max&interval=5m', 30],
  ['coins/bitcoin/market_chart?vs_currency=usd&days=365&interval=hourly', 1_800],
  ['coins/bitcoin/market_chart?vs_currency=usd&days=1&interval=daily', 43_200],
  ['coins/bitcoin/market_chart/range?vs_currency=usd&from=0&to=1714979289&interval=5m', 30],
  ['coins/bitcoin/market_chart/range?vs_currency=usd&from=0&to=86400', 1_800],
  ['coins/bitcoin/market_chart/range?vs_currency=usd&from=0&to=1714979289', 43_200],
  ['coins/bitcoin/market_chart/range?vs_currency=usd&from=1714979000&to=1714979289', 30],
  ['coins/bitcoin/ohlc?vs_currency=usd&days=7', 900],
])('%s may be kept %d seconds', async (path, maxAge) => {
  const reply = await echoService().app.request(`/v2/${path}`)
  expect(reply.headers.get('cache-control')).toBe(`public, max-age=${maxAge}`)
})

test('the document of the service is read like everything else: with a key, within the quota', async () => {
  const document = { openapi: '3.1.0' }
  const { app } = echoService({ document, keys: createKeyRing(['good']) })
  expect((await app.request('/openapi.json')).status).toBe(401)
  const reply = await app.request('/openapi.json', { headers: { authorization: 'Bearer good' } })
  expect([reply.status, await reply.json()]).toEqual([200, document])
  expect(reply.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
})
