import { expect, test } from 'vitest'
import { frozenClock } from '../../../config/clock.ts'
import { createKeyRing, hashedKeyRing, hashKey } from '../../../service/callers/key-ring.ts'
import { createQuotas } from '../../../service/callers/quotas.ts'
import { plainService } from '../../parts/serve-source.ts'
import { ECHO_NOW_MS, echoService, echoSource } from '../echo-service.ts'

const MINUTE_MS = 60_000
const START_MS = Date.parse('2024-01-01T00:00:40Z')

const caller = { id: 'k', quota: null }

test('the window is the minute of the clock, whenever the first call came', () => {
  let nowMs = START_MS
  const quotas = createQuotas({ calls: 2, perMs: MINUTE_MS }, { nowMs: () => nowMs })
  expect(quotas.take(caller)).toEqual({ allowed: true, limit: 2, remaining: 1, resetInMs: 20_000 })
  expect(quotas.take(caller)).toMatchObject({ allowed: true, remaining: 0 })
  expect(quotas.take(caller)).toMatchObject({ allowed: false, remaining: 0 })
  nowMs += 19_999
  expect(quotas.take(caller)).toMatchObject({ allowed: false, resetInMs: 1 })
  nowMs += 1
  expect(quotas.take(caller)).toMatchObject({ allowed: true, remaining: 1, resetInMs: MINUTE_MS })
})

// The echo service stands at 07:08:09.500; the real clock is 20 s before the end of its minute.
test('headers on every answer, 429 beyond the quota', async () => {
  const reset = String(Math.ceil(ECHO_NOW_MS / 1000 + 20))
  const { app } = echoService({
    keys: createKeyRing(['good']),
    quota: { calls: 2, perMs: MINUTE_MS },
    realClock: frozenClock(START_MS),
  })
  const authorization = 'Bearer good'
  const paths = ['/v2/ping', '/v2/nothing', '/v2/ping', '/v2/coins/markets']
  const replies = []
  for (const path of paths) replies.push(await app.request(path, { headers: { authorization } }))
  expect(replies.map((reply) => reply.status)).toEqual([200, 404, 429, 429])
  for (const reply of replies) {
    expect(reply.headers.get('x-ratelimit-limit')).toBe('2')
    expect(reply.headers.get('x-ratelimit-reset')).toBe(reset)
  }
  expect(replies.map((reply) => reply.headers.get('x-ratelimit-remaining'))).toEqual([
    '1',
    '0',
    '0',
    '0',
  ])
  const refused = replies[2]!
  expect(refused.headers.get('retry-after')).toBe('20')
  expect(await refused.json()).toEqual({ error: expect.stringMatching(/rate limit of 2/) })
  // Strangers see limits too, but spend nothing of the key's.
  const stranger = await app.request('/v2/ping')
  expect([stranger.status, stranger.headers.get('x-ratelimit-remaining')]).toEqual([401, '1'])
})

test('all answers of a window tell one reset, however long the request took', async () => {
  let nowMs = START_MS
  const ticking = { nowMs: () => nowMs++ }
  const source = { ...echoSource(), clock: ticking }
  const quota = { calls: 9, perMs: MINUTE_MS }
  const { app } = plainService(source, { quota, realClock: ticking })
  const endS = String((START_MS + 20_000) / 1_000)
  const reply = await app.request('/v2/ping')
  expect(reply.headers.get('x-ratelimit-reset')).toBe(endS)
})

test.each([
  ['GET', 'ping', 200, '1'],
  ['GET', 'ping?x=1', 400, '1'],
  ['GET', 'nothing', 404, '1'],
  ['POST', 'ping', 405, '1'],
])('%s %s is %d and costs a call', async (method, path, status, left) => {
  const quota = { calls: 2, perMs: MINUTE_MS }
  const { app } = echoService({ quota, realClock: frozenClock(START_MS) })
  const reply = await app.request(`/v2/${path}`, { method })
  expect([reply.status, reply.headers.get('x-ratelimit-remaining')]).toEqual([status, left])
})

test('a key with a quota of its own spends that one; others share the figure, not the count', async () => {
  const quota = { calls: 1, perMs: MINUTE_MS }
  const keys = hashedKeyRing([
    { hash: hashKey('big'), quota: { ...quota, calls: 5 } },
    { hash: hashKey('small'), quota: null },
    { hash: hashKey('other'), quota: null },
  ])
  const { app } = echoService({ keys, quota, realClock: frozenClock(START_MS) })
  const left = async (key: string): Promise<unknown> => {
    const { status, headers } = await app.request('/v2/ping', {
      headers: { authorization: `Bearer ${key}` },
    })
    return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
  }
  expect(await left('big')).toEqual([200, '5', '4'])
  expect(await left('small')).toEqual([200, '1', '0'])
  expect(await left('small')).toEqual([429, '1', '0'])
  expect(await left('other')).toEqual([200, '1', '0'])
  expect(await left('big')).toEqual([200, '5', '3'])
})

test('a call that is given back was never made', () => {
  const quotas = createQuotas({ calls: 2, perMs: MINUTE_MS }, frozenClock(START_MS))
  quotas.giveBack(caller)
  expect(quotas.peek(caller).remaining).toBe(2)
  quotas.take(caller)
  quotas.take(caller)
  quotas.giveBack(caller)
  expect(quotas.take(caller)).toMatchObject({ allowed: true, remaining: 0 })
  expect(quotas.take(caller)).toMatchObject({ allowed: false })
})

test('another limit holds from the next call on, but for keys that have their own', () => {
  const own = { calls: 9, perMs: MINUTE_MS }
  const quotas = createQuotas({ ...own, calls: 5 }, frozenClock(START_MS))
  const [common, special] = [
    { id: 'a', quota: null },
    { id: 'b', quota: own },
  ]
  quotas.take(common)
  quotas.limitTo({ ...own, calls: 1 })
  expect(quotas.take(common)).toMatchObject({ allowed: true, limit: 1 })
  expect(quotas.take(common)).toMatchObject({ allowed: false, limit: 1 })
  expect(quotas.take(special)).toMatchObject({ allowed: true, limit: 9, remaining: 8 })
})
