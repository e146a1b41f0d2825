import { expect, test } from 'vitest'
import { keyRing, type KeyRing, runsOfProcess } from '../../../activities/fetch/key-ring.ts'
import type { FetchPageResult } from '../../../activities/activity-types.ts'
import type { SourceClient } from '../../../api/client.ts'
import { SourceAuthError, SourceUnavailableError } from '../../../api/errors.ts'
import { MonthSpentError } from '../../../api/month-spent-error.ts'

const PAGES = 40
const PAGE: FetchPageResult = { kind: 'listing_stale' }

/** Keys that answer as told, and how often each was asked. */
function keysThat(...answers: ((asked: number) => FetchPageResult)[]) {
  const asked = answers.map(() => 0)
  const keys = answers.map((_, at) => ({
    keyId: `key-${at}`,
    client: { at } as unknown as SourceClient,
  }))
  const ask = (ring: KeyRing): Promise<FetchPageResult> =>
    ring.ask(async (client) => {
      const { at } = client as unknown as { at: number }
      asked[at]! += 1
      return answers[at]!(asked[at]!)
    })
  return { keys, asked, ask }
}

const good = (): FetchPageResult => PAGE
const refused = (): never => {
  throw new SourceAuthError('the source refuses the key, HTTP 401')
}
const spent = (): never => {
  const facts = { ceiling: 100, reserve: 10, isOfService: false, keyId: 'key' }
  throw new MonthSpentError({ ...facts, endsAtMs: Date.UTC(2100, 0, 1) })
}

async function askAll(ring: KeyRing, ask: (ring: KeyRing) => Promise<FetchPageResult>) {
  const all = Array.from({ length: PAGES }, () => ask(ring))
  return Promise.all(all)
}

test('pages are spread over the keys evenly', async () => {
  const { keys, asked, ask } = keysThat(good, good, good, good)
  await askAll(keyRing(keys), ask)
  expect(asked).toEqual([10, 10, 10, 10])
})

test('a key that was told to wait is left out, and its page is fetched with another at once', async () => {
  const throttledUntilMs = Date.now() + 3_600_000
  const { keys, asked, ask } = keysThat(() => ({ kind: 'throttled', throttledUntilMs }), good)
  const ring = keyRing(keys)
  expect(await ask(ring)).toEqual(PAGE)
  await askAll(ring, ask)
  expect(asked).toEqual([1, PAGES + 1])
})

test('when all must wait the first that may go on says until when', async () => {
  const inAnHour = Date.now() + 3_600_000
  const wait = (untilMs: number) => () =>
    ({ kind: 'throttled', throttledUntilMs: untilMs }) as const
  const { keys, asked, ask } = keysThat(wait(inAnHour), wait(inAnHour + 5_000))
  const told = { kind: 'throttled', throttledUntilMs: inAnHour }
  const ring = keyRing(keys)
  expect(await ask(ring)).toEqual(told)
  expect(await ask(ring)).toEqual(told)
  expect(asked).toEqual([1, 1])
})

test('keys that are refused or used up are lost one by one; the last one ends it', async () => {
  const { keys, asked, ask } = keysThat(refused, spent, (count) => (count > 2 ? spent() : PAGE))
  const ring = keyRing(keys)
  await ask(ring)
  expect(ring.lost().map(({ keyId, code }) => [keyId, code])).toEqual([
    ['key-0', 'SOURCE_AUTH'],
    ['key-1', 'MONTH_SPENT'],
  ])
  await ask(ring)
  await expect(ask(ring)).rejects.toMatchObject({
    code: 'MONTH_SPENT',
    exitCode: 3,
    untilMs: Date.UTC(2100, 0, 1),
    message: expect.stringMatching(/^none of the 3 keys can be used: the source refuses/) as string,
  })
  expect(asked).toEqual([1, 1, 3])
})

test('each run tries all keys anew', async () => {
  const { keys, asked, ask } = keysThat(refused, good)
  const runOf = runsOfProcess(keys)
  await ask(runOf('run-1').keys)
  await ask(runOf('run-1').keys)
  expect(asked).toEqual([1, 2])
  await ask(runOf('run-2').keys)
  expect(asked).toEqual([2, 3])
})

test('with one key its answers and faults are passed on as they are', async () => {
  const { keys, ask } = keysThat(refused)
  await expect(ask(keyRing(keys))).rejects.toThrow('the source refuses the key, HTTP 401')
})

test('a fault of the service is no fault of a key', async () => {
  const { keys, asked, ask } = keysThat(() => {
    throw new SourceUnavailableError('HTTP 503')
  }, good)
  const ring = keyRing(keys)
  await expect(ask(ring)).rejects.toThrow('HTTP 503')
  expect(ring.lost()).toEqual([])
  await ask(ring)
  expect(asked).toEqual([1, 1])
})
