import { expect, test } from 'vitest'
import { askSource } from '../../../activities/fetch/ask-source.ts'
import { judgeFault, noteAnswer } from '../../../activities/fetch/judge-fault.ts'
import type { SourceAnswer } from '../../../api/client.ts'
import { SourceAuthError, SourceUnavailableError } from '../../../api/errors.ts'
import { coins, fetchBench, freePageCalls, type ScriptedAnswer } from './fetch-bench.ts'

const TROUBLE = new SourceUnavailableError('in trouble', { status: 503 })

/** A client whose service answers ping as told, and its faults at these seconds, as codes. */
async function bench(ping: ScriptedAnswer) {
  const { deps, answer, asked, answerPing } = await fetchBench()
  answer(() => ({ status: 503 }))
  answerPing(ping)
  let permits = 0
  const at = async (seconds: number, fault = TROUBLE): Promise<string> => {
    const judged = await judgeFault(
      deps.client,
      fault,
      { onSent: () => (permits += 1) },
      seconds * 1_000,
    )
    return judged === fault ? 'fault' : judged.code
  }
  const many = async (count: number, seconds: number): Promise<Set<string>> => {
    const codes = new Set<string>()
    for (let i = 0; i < count; i++) codes.add(await at(seconds))
    return codes
  }
  return { client: deps.client, at, many, asked, permits: () => permits }
}

/** A 429, as the client answers it. */
const WAIT = { kind: 'throttled', url: '', status: 429, untilMs: 0 } as SourceAnswer
const DOWN = { status: 503, body: {} }
const WELL = { body: { status: 'OK' } }

test('nothing but trouble for a minute, and no ping: the run ends', async () => {
  const { many, at, asked, permits } = await bench(DOWN)
  expect(await many(11, 0)).toEqual(new Set(['fault']))
  expect(asked()).toEqual([])
  expect(await at(61)).toBe('SOURCE_DOWN')
  // Nobody who comes after waits or asks again.
  expect(await many(20, 62)).toEqual(new Set(['SOURCE_DOWN']))
  expect([asked(), permits()]).toEqual([['/v2/ping'], 1])
})

test('the error says how long, why, and that nothing is lost', async () => {
  const { client } = await bench(DOWN)
  let last = TROUBLE
  for (let i = 0; i < 13; i++) {
    last = await judgeFault(client, TROUBLE, {}, i * 10_000)
  }
  expect(last).toMatchObject({
    message: 'every request to the source has failed for 120 s: in trouble',
    hint: expect.stringContaining('goes on where it stopped'),
    exitCode: 4,
    retryable: false,
  })
})

test('a ping that a stop keeps back calls no service down', async () => {
  const { client, at, many } = await bench(WELL)
  await many(11, 0)
  const stopped = { sendingStop: () => AbortSignal.abort(new Error('paused')) }
  await expect(judgeFault(client, TROUBLE, stopped, 61_000)).rejects.toThrow('paused')
  expect(await at(62)).toBe('fault')
})

test('a page of the edge is no answer to a ping', async () => {
  const { many, at } = await bench({ headers: { 'content-type': 'text/html' } })
  await many(20, 0)
  expect(await at(61)).toBe('SOURCE_DOWN')
})

/** A client whose key must wait, because two requests in a row were answered 503 with Retry-After. */
async function waitingBench() {
  const { deps, answer, asked } = await fetchBench()
  answer(() => ({ status: 503, headers: { 'retry-after': '60' }, body: {} }))
  const ask = (operation: 'coins/list' | 'exchanges/list'): Promise<unknown> =>
    askSource(deps, { sliceId: 's', operation, params: {} }, freePageCalls(), () =>
      Promise.resolve(0),
    )
  const told = await Promise.all([
    ask('coins/list').catch((error: unknown) => error as SourceUnavailableError),
    ask('exchanges/list').catch((error: unknown) => error as SourceUnavailableError),
  ])
  const judge = async (fault: SourceUnavailableError, laterMs: number): Promise<string> =>
    (await judgeFault(deps.client, fault, {}, performance.now() + laterMs)).code
  return { told: told[0] as SourceUnavailableError, ask, judge, asked }
}

test('a service that says to wait for a quarter of an hour, and nothing else, is down without a ping', async () => {
  const { told, ask, judge, asked } = await waitingBench()
  for (let i = 0; i < 10; i++) await judge(told, 0)
  // No request leaves during the wait, so it is no sign of life.
  expect(await ask('coins/list')).toMatchObject({ kind: 'throttled' })
  expect(await judge(told, 14 * 60_000)).toBe('SOURCE_UNAVAILABLE')
  expect(await judge(told, 16 * 60_000)).toBe('SOURCE_DOWN')
  expect(asked()).toEqual(['/v2/coins/list', '/v2/exchanges/list'])
})

test('a ping that must wait judges no fault without Retry-After', async () => {
  const { told, judge } = await waitingBench()
  for (let i = 0; i < 10; i++) await judge(told, 0)
  expect(await judge(TROUBLE, 16 * 60_000)).toBe('SOURCE_UNAVAILABLE')
  expect(await judge(told, 16 * 60_000)).toBe('SOURCE_DOWN')
})

test('few faults, or a short outage, end nothing', async () => {
  const few = await bench(DOWN)
  for (let i = 0; i < 11; i++) expect(await few.at(i * 60)).toBe('fault')
  const short = await bench(DOWN)
  expect(await short.many(100, 59)).toEqual(new Set(['fault']))
  expect([few.asked(), short.asked()]).toEqual([[], []])
})

test.for<[string, ScriptedAnswer]>([
  ['well', WELL],
  ['that it wants slower questions', { status: 429, body: {} }],
  ['that it knows no ping', { status: 404, body: { error: 'no such path' } }],
  ['that it refuses the key', { status: 401, body: { error: 'no' } }],
])('a ping is answered %s: only what was asked for is in trouble', async ([, said]) => {
  const { many, asked } = await bench(said)
  expect(await many(20, 0)).toEqual(new Set(['fault']))
  expect(await many(20, 100)).toEqual(new Set(['fault']))
  expect(asked()).toEqual(['/v2/ping'])
})

test('every sign of life begins the minute anew', async () => {
  const { client, many, at, asked } = await bench(DOWN)
  await many(20, 0)
  noteAnswer(client, WAIT)
  expect(await at(61)).toBe('fault')
  const refused = new SourceAuthError('no such key', { status: 401 })
  await many(20, 62)
  expect(await at(120, refused)).toBe('fault')
  expect(await many(20, 125)).toEqual(new Set(['fault']))
  expect(asked()).toEqual([])
})

test('a good answer and "wait" are signs of life', async () => {
  const { deps, answer, answerPing } = await fetchBench()
  answerPing(DOWN)
  const request = { sliceId: 's', operation: 'coins/list', params: {} } as const
  const ask = (): Promise<unknown> =>
    askSource(deps, request, freePageCalls(), (good) => Promise.resolve(good.json))
  for (const said of [{ body: coins(1) }, { status: 429, headers: { 'retry-after': '1' } }]) {
    for (let i = 0; i < 20; i++) await judgeFault(deps.client, TROUBLE, {}, 0)
    answer(() => said)
    await ask()
    const judged = await judgeFault(deps.client, TROUBLE, {}, 100_000)
    expect(judged).toBe(TROUBLE)
  }
})
