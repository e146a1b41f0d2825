import { afterAll, describe, expect, test } from 'vitest'
import { operations } from '../../api/operations.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { plainService } from '../parts/serve-source.ts'
import { badRequests, NOT_FOUND, pathWith, wrongValues } from './bad-requests.ts'
import { simulated } from './tiny-market.ts'

const ALL = Object.values(operations)
/** A token of the simulated market. */
const TOKEN = '0x00000000000000000000000000000000c01a1a02'
let entries: RequestEntry[] = []
const { app } = plainService(simulated(afterAll), { log: (entry) => entries.push(entry) })

interface Reply {
  status: number
  body: { error?: unknown }
  headers: Headers
}

async function ask(path: string, init: RequestInit = {}): Promise<Reply> {
  entries = []
  const reply = await app.request(`/v2/${path}`, init)
  const { status, headers } = reply
  // Nothing is a fault of ours, whatever is asked.
  expect(entries.map(({ fault }) => fault)).toEqual([undefined])
  return { status, headers, body: (await reply.json()) as Reply['body'] }
}

/** The form that every refusal has. */
function expectRefusal(
  { status, body, headers }: Reply,
  expected: number,
  says: RegExp | string,
): void {
  expect(body).toEqual({ error: expect.any(String) })
  expect(body.error).toMatch(says)
  expect(status).toBe(expected)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/)
  }
}

describe.each(ALL)('$id', (operation) => {
  const cases = badRequests(operation)

  test.each(cases)('$fault: $path', async ({ path, status, says }) => {
    expectRefusal(await ask(path), status, says)
  })

  test('no parameter is without wrong values', () => {
    const holes = operation.params.filter((param) => wrongValues(param).length === 0)
    expect(holes.map(({ name }) => name)).toEqual([])
  })

  test('a wrong method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const reply = await ask(pathWith(operation, {}), { method })
      expectRefusal(reply, 405, `method ${method} is not allowed`)
      expect(reply.headers.get('allow')).toBe('GET, HEAD')
    }
  })

  test('a path in another case, or longer, is no operation', async () => {
    const [path = ''] = pathWith(operation, {}).split('?')
    const shouted = operation.id.replace(/^[a-z_]+/, (word) => word.toUpperCase())
    expectRefusal(await ask(shouted), 404, /no operation/)
    expectRefusal(await ask(`${path}/no/such/thing`), 404, /no operation/)
  })
})

describe.each(ALL.filter(({ id }) => NOT_FOUND[id] !== undefined))('$id', (operation) => {
  test.each([
    'nobody',
    'Bitcoin',
    '%F0%9D%95%8F',
    'a%2Fb',
    '%25',
    "'%3B--",
    'null',
    '__proto__',
    '%E0%A4%A',
  ])('the id %s, which nobody knows', async (id) => {
    const reply = await ask(pathWith(operation, { id }))
    expectRefusal(reply, 404, new RegExp(`^${NOT_FOUND[operation.id]}$`))
  })
})

test('every operation that looks something up says what it did not find', () => {
  const looking = ALL.filter(({ subject }) => subject !== undefined)
  expect(looking.map(({ id, subject }) => [id, `${subject} not found`])).toEqual(
    looking.map(({ id }) => [id, NOT_FOUND[id]]),
  )
})

test.each([
  [
    'an unknown currency',
    'coins/bitcoin/market_chart?vs_currency=zzz&days=1',
    400,
    /vs_currency: "zzz"/,
  ],
  [
    'no hexadecimal',
    'simple/price?ids=%zz&vs_currencies=usd',
    400,
    /^Invalid parameter ids, expected percent-encoded UTF-8$/,
  ],
  ['half a character', 'search?query=a%E0%A4', 400, /^Invalid parameter query, .*UTF-8$/],
  ['a percent sign alone', 'ping?100%', 400, /^Invalid parameter 100%, expected percent/],
  ['nothing below the base', '', 404, /no operation/],
  ['another version', '../v1/ping', 404, /no operation/],
  ['a path that climbs', 'coins/..%2f..%2fetc%2fpasswd', 404, /not found/],
  ['dots that are encoded', 'coins/%2e%2e/ohlc?vs_currency=usd&days=7', 404, /no operation/],
  ['two slashes', '/ping', 404, /no operation/],
  ['days of no candle', 'coins/b/ohlc?vs_currency=usd&days=8', 400, /"8".*one of 1, 7, 14/],
  ['a list as an id', 'exchanges/list/tickers', 404, /exchange not found/],
])('%s', async (_, path, status, says) => {
  expectRefusal(await ask(path), status, says)
})

test.each([
  ['past the last page', 'coins/markets?vs_currency=usd&page=1000000', []],
  ['coins that nobody knows', 'simple/price?ids=nobody&vs_currencies=usd', {}],
  ['currencies that nobody knows', 'simple/price?ids=bitcoin&vs_currencies=zzz', { bitcoin: {} }],
  [
    'a space after a comma',
    'simple/price?ids=bitcoin,%20ethereum&vs_currencies=zzz',
    { bitcoin: {} },
  ],
  [
    'a space before an address',
    `simple/token_price/ethereum?contract_addresses=%20${TOKEN}&vs_currencies=zzz`,
    {},
  ],
  [
    'a space before a coin',
    'exchanges/binance/tickers?coin_ids=%20bitcoin',
    { name: 'Binance', tickers: [] },
  ],
  [
    'a platform that nobody knows',
    'simple/token_price/nowhere?contract_addresses=0xab&vs_currencies=usd',
    {},
  ],
])('%s: empty, and no refusal', async (_, path, body) => {
  const reply = await ask(path)
  expect([reply.status, reply.body]).toEqual([200, body])
})
