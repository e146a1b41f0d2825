import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readErrorBody } from '../../api/error-body.ts'
import { withProfileParams } from '../../api/profile-params.ts'
import { type ProfileName, profiles } from '../../config/profiles.ts'
import { createKeyRing } from '../../service/callers/key-ring.ts'
import type { ServiceOptions } from '../../service/app.ts'
import { readFaults } from '../../service/faults/read-faults.ts'
import { ECHO_NOW_MS, echoService } from './echo-service.ts'

const SAMPLES = new URL('../../../shared/samples/', import.meta.url)
const DAY_S = 86_400
const NOW_S = Math.floor(ECHO_NOW_MS / 1_000)

async function ask(
  name: ProfileName,
  path: string,
  headers: Record<string, string> = {},
  options: Partial<ServiceOptions> = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const profile = profiles[name]
  const { app } = echoService({ profile, operations: withProfileParams(profile), ...options })
  const reply = await app.request(`${profile.basePath}/${path}`, { headers })
  return { status: reply.status, body: await reply.json(), headers: reply.headers }
}

test.each([
  ['interface', { status: 'OK' }],
  ['coingecko-demo', { gecko_says: '(V3) To the Moon!' }],
  ['coingecko-pro', { gecko_says: '(V3) To the Moon!' }],
] as const)('ping of %s', async (name, body) => {
  expect((await ask(name, 'ping')).body).toEqual(body)
  const { app } = echoService({ profile: profiles[name] })
  const elsewhere = name === 'interface' ? '/api/v3/ping' : '/v2/ping'
  expect((await app.request(elsewhere)).status).toBe(404)
})

describe('keys', () => {
  const keys = createKeyRing(['CG-good'])

  test.each([
    ['coingecko-demo', 'ping', { 'x-cg-demo-api-key': 'CG-good' }, 200, null],
    ['coingecko-demo', 'ping?x_cg_demo_api_key=CG-good', {}, 200, null],
    ['coingecko-demo', 'ping', { 'x-cg-pro-api-key': 'CG-good' }, 400, 10_010],
    ['coingecko-demo', 'ping', {}, 401, 10_002],
    ['coingecko-pro', 'ping', { 'x-cg-pro-api-key': 'CG-good' }, 200, null],
    ['coingecko-pro', 'ping?x_cg_pro_api_key=CG-good', {}, 200, null],
    ['coingecko-pro', 'ping', { 'x-cg-demo-api-key': 'CG-good' }, 400, 10_011],
    ['coingecko-pro', 'ping', { 'x-cg-pro-api-key': 'CG-bad' }, 401, 10_002],
    ['coingecko-pro', 'ping', { authorization: 'Bearer CG-good' }, 401, 10_002],
    ['interface', 'ping', { 'x-cg-pro-api-key': 'CG-good' }, 401, null],
  ] as const)('%s %s %j is %d, code %s', async (name, path, headers, status, code) => {
    const answered = await ask(name, path, headers, { keys })
    expect(answered.status).toBe(status)
    if (status === 200) return
    // Read as the exporter reads it.
    const said = readErrorBody(JSON.stringify(answered.body))
    expect(said.bodyCode).toBe(code)
    expect(said.message).not.toBe('')
  })
})

test('an open service takes no key of another host of the provider', async () => {
  const { status, body } = await ask('coingecko-demo', 'ping', { 'x-cg-pro-api-key': 'CG-x' })
  expect([status, readErrorBody(JSON.stringify(body)).bodyCode]).toEqual([400, 10_010])
})

describe('limits of the demo plan', () => {
  const range = (daysBack: number): string =>
    `coins/bitcoin/market_chart/range?vs_currency=usd&to=${NOW_S}&from=${NOW_S - daysBack * DAY_S}`

  test.each([
    [200, 'coins/bitcoin/market_chart?vs_currency=usd&days=365', null],
    [401, 'coins/bitcoin/market_chart?vs_currency=usd&days=366', 10_012],
    [401, 'coins/bitcoin/market_chart?vs_currency=usd&days=max', 10_012],
    [200, range(364), null],
    [401, range(366), 10_012],
    [200, 'coins/bitcoin/history?date=07-05-2023', null],
    [401, 'coins/bitcoin/history?date=06-05-2023', 10_012],
    [401, 'coins/bitcoin/history?date=01-01-2015', 10_012],
    [401, 'coins/bitcoin/market_chart?vs_currency=usd&days=1&interval=5m', 10_005],
    [200, 'coins/bitcoin/market_chart?vs_currency=usd&days=1&interval=hourly', null],
    [401, 'coins/bitcoin/ohlc?vs_currency=usd&days=1&interval=hourly', 10_005],
    [401, 'coins/list?status=inactive', 10_005],
    [200, 'coins/list?status=active', null],
  ] as const)('%d %s', async (status, path, code) => {
    const answered = await ask('coingecko-demo', path)
    expect(answered.status).toBe(status)
    if (code !== null) expect(readErrorBody(JSON.stringify(answered.body)).bodyCode).toBe(code)
    expect(
      (await ask('coingecko-pro', path.replace(/(\d\d)-(\d\d)-(\d{4})/, '$3-$2-$1'))).status,
    ).toBe(200)
  })

  test('the refusal of old history is nested, as recorded clients have seen it', async () => {
    const { body } = await ask(
      'coingecko-demo',
      'coins/bitcoin/market_chart?vs_currency=usd&days=max',
    )
    expect(body).toEqual({
      error: {
        status: {
          timestamp: new Date(ECHO_NOW_MS).toISOString(),
          error_code: 10_012,
          error_message: expect.stringContaining('365 days'),
        },
      },
    })
  })
})

describe('parameters', () => {
  test.each([
    ['coingecko-demo', 'coins/b/history?date=30-04-2024', { date: '2024-04-30' }],
    ['coingecko-pro', 'coins/b/history?date=2024-04-30', { date: '2024-04-30' }],
    ['coingecko-pro', 'coins/b/history?date=30-04-2024', { date: '2024-04-30' }],
    ['coingecko-pro', 'coins/b/ohlc?vs_currency=usd&days=max', { days: 'max' }],
    [
      'coingecko-pro',
      'coins/b/market_chart/range?vs_currency=usd&from=2024-04-30&to=2024-05-01T12:30',
      { from: '1714435200', to: '1714566600' },
    ],
    [
      'coingecko-pro',
      'coins/markets?vs_currency=USD&per_page=999&page=0',
      { per_page: '250', page: '1', vs_currency: 'usd' },
    ],
    ['coingecko-pro', 'coins/markets?vs_currency=usd&page=2&page=3&locale=en&ids=', { page: '3' }],
    [
      'coingecko-pro',
      'simple/price?ids=a,,b&vs_currencies=usd,',
      { ids: 'a,b', vs_currencies: 'usd' },
    ],
    ['coingecko-pro', 'exchanges/b/volume_chart?days=7', { days: '7' }],
    [
      'coingecko-demo',
      'exchanges/b/tickers?per_page=5',
      expect.not.objectContaining({ per_page: expect.anything() }),
    ],
    ['coingecko-demo', 'coins/b/market_chart?vs_currency=usd&days=0.004167', { days: '0.004167' }],
  ] as const)('%s takes %s', async (name, path, params) => {
    const { status, body } = await ask(name, path)
    expect(body).toMatchObject({ params })
    expect(status).toBe(200)
  })

  test.each([
    ['coingecko-demo', 'coins/b/history?date=30-04-2024', 200],
    ['coingecko-pro', 'coins/b/history?date=30-04-2024', 200],
    ['coingecko-demo', 'coins/b/history?date=20-04-2024', 401],
    [
      'coingecko-pro',
      'coins/b/market_chart/range?vs_currency=usd&from=2024-04-30&to=2024-05-01',
      200,
    ],
  ] as const)('%s: of %s the fault plan_reach reads the time, %d', async (name, path, status) => {
    const faults = readFaults('faults.yaml', '- { fault: plan_reach, days: 10 }', 1)
    expect((await ask(name, path, {}, { faults })).status).toBe(status)
  })

  test.each([
    ['coingecko-demo', 'coins/b/history?date=2024-04-30', 400, /DD-MM-YYYY/],
    ['coingecko-demo', 'coins/b/ohlc?vs_currency=usd&days=max', 400, /days.*365$/],
    [
      'coingecko-demo',
      'coins/b/market_chart/range?vs_currency=usd&from=2024-04-30&to=1',
      400,
      /from/,
    ],
    [
      'coingecko-pro',
      'coins/b/market_chart/range?vs_currency=usd&from=2024-02-31&to=2024-03-30',
      400,
      /from/,
    ],
    [
      'coingecko-pro',
      'coins/b/market_chart/range?vs_currency=usd&from=1969-12-31&to=2024-03-30',
      400,
      /from/,
    ],
    ['interface', 'coins/b/ohlc?vs_currency=usd&days=max', 400, /days.*365$/],
    ['interface', 'coins/b/history?date=30-04-2024', 400, /YYYY-MM-DD$/],
    [
      'coingecko-pro',
      'simple/price?ids=a&vs_currencies=usd&symbols=btc',
      400,
      /symbols is not answ/,
    ],
    ['coingecko-pro', 'coins/markets?vs_currency=usd&names=Bitcoin', 400, /names is not answered/],
    ['coingecko-demo', 'search/trending?show_max=coins', 400, /show_max is not answered/],
  ] as const)('%s refuses %s', async (name, path, status, message) => {
    const answered = await ask(name, path)
    expect(answered.status).toBe(status)
    expect(answered.body).toEqual({ error: expect.stringMatching(message) })
  })

  /** Recorded answers of the provider (skipped without ../shared/samples). */
  test.skipIf(!existsSync(SAMPLES)).each([
    ['error-422-coins-markets-missing-vs_currency', 'coins/markets'],
    ['error-422-coins-id-history-missing-date', 'coins/bitcoin/history'],
    ['error-422-volume_chart-missing-days', 'exchanges/binance/volume_chart'],
    ['error-422-simple-price-missing-ids', 'simple/price'],
  ])('%s', async (file, path) => {
    const recorded = readFileSync(
      new URL(`${file}--julianfssen-coingecko_ruby.json`, SAMPLES),
      'utf8',
    )
    for (const name of ['coingecko-demo', 'coingecko-pro'] as const) {
      const { status, body } = await ask(name, path)
      expect([status, body]).toEqual([422, JSON.parse(recorded)])
    }
  })
})

test('rate headers of the provider: only with a refusal, the reset as a date-time', async () => {
  const quota = { calls: 1, perMs: 60_000 }
  const profile = profiles['coingecko-demo']
  const realClock = { nowMs: () => Date.parse('2024-01-01T00:00:40Z') }
  const { app } = echoService({ profile, quota, realClock })
  const good = await app.request('/api/v3/ping')
  expect([good.status, good.headers.get('x-ratelimit-limit')]).toEqual([200, null])
  const refused = await app.request('/api/v3/ping')
  expect(refused.status).toBe(429)
  expect(Object.fromEntries(refused.headers)).toMatchObject({
    'retry-after': '20',
    'x-ratelimit-limit': '1',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': '2024-05-06 07:08:30 +0000',
  })
  expect(await refused.json()).toMatchObject({ status: { error_code: 429 } })
})

test('the fault clock_skew is in Date and in the reset of the provider', async () => {
  const orders = '- { fault: clock_skew, skew_ms: 600000 }\n- { fault: rate_status, wait_ms: 1000 }'
  const faults = readFaults('faults.yaml', orders, 1)
  const { status, headers } = await ask('coingecko-demo', 'ping', {}, { faults })
  expect([status, headers.get('date'), headers.get('x-ratelimit-reset')]).toEqual([
    429,
    'Mon, 06 May 2024 07:18:09 GMT',
    '2024-05-06 07:18:11 +0000',
  ])
})

test('a fault shows nothing of its inside, in the shape of the provider', async () => {
  const answered = await ask('coingecko-pro', 'coins/broken/ohlc?vs_currency=usd&days=7')
  expect([answered.status, answered.body]).toEqual([
    500,
    { status: 500, error: 'Internal Server Error' },
  ])
})
