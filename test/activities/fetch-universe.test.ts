import { expect, test } from 'vitest'
import { fetchUniverse, stagedUniverse } from '../../activities/fetch-universe.ts'
import { frozenClock } from '../../config/clock.ts'
import type { FetchBench } from './fetch-bench.ts'
import {
  coins,
  DAY_MS,
  fetchBench,
  KEY,
  listed,
  listedClamped,
  NOW_MS,
  TODAY_MS,
} from './fetch-bench.ts'

const signal = new AbortController().signal

function page(bench: FetchBench, top: number, number: number, nowMs = NOW_MS) {
  const deps = { ...bench.deps, clock: frozenClock(nowMs) }
  return fetchUniverse(deps, { stageDir: bench.dir, top, page: number }, signal)
}

/** Reads the ranking as the run does; the calls of each page. */
async function choose(bench: FetchBench, top: number): Promise<number[]> {
  const calls: number[] = []
  for (let number = 1; ; number++) {
    const result = await page(bench, top, number)
    calls.push(result.calls)
    if (result.kind !== 'page' || result.next === null) return calls
    expect(result.next).toEqual({ step: 0, page: number + 1 })
  }
}

test.for([
  { name: 'less than a page', top: 30, total: 1000, grants: 250, calls: 1, chosen: 30 },
  { name: 'whole pages', top: 500, total: 1000, grants: 250, calls: 2, chosen: 500 },
  { name: 'a part of the last page', top: 600, total: 1000, grants: 250, calls: 3, chosen: 600 },
  { name: 'more than there are', top: 600, total: 320, grants: 250, calls: 2, chosen: 320 },
  { name: 'granted less than asked', top: 600, total: 1000, grants: 100, calls: 6, chosen: 600 },
])('top:$top of $total, $name', async ({ top, total, grants, calls, chosen }) => {
  const bench = await fetchBench()
  bench.answer((query) => listed(query, total, grants))
  expect(await choose(bench, top)).toEqual(Array.from({ length: calls }, () => 1))
  const ids = await stagedUniverse(bench.stage, top, NOW_MS)
  expect(ids).toHaveLength(chosen)
  expect(ids?.slice(0, 2)).toEqual(['coin-00000', 'coin-00001'])
  expect(new Set(ids).size).toBe(chosen)
  // Staged already: the next run that day chooses without a call.
  expect(await choose(bench, top)).toEqual(Array.from({ length: calls }, () => 0))
  // Its calls reach the ledger although no load brings them.
  const lost = await bench.lost()
  expect(lost).toHaveLength(calls)
  expect(new Set(lost.map(({ code }) => code))).toEqual(new Set(['UNIVERSE']))
})

test('a row without an id is no coin, and no reason to take a full page for the last', async () => {
  const bench = await fetchBench()
  bench.answer((query) => {
    const { body } = listed(query, 500)
    return { body: (body as unknown[]).map((row, i) => (i === 7 ? { id: null } : row)) }
  })
  await choose(bench, 500)
  expect(await stagedUniverse(bench.stage, 500, NOW_MS)).toHaveLength(498)
})

test('a ranking that repeats its first page is refused, not cut short', async () => {
  const bench = await fetchBench()
  bench.answer(() => ({ body: coins(250) }))
  await expect(choose(bench, 1000)).rejects.toMatchObject({ code: 'LISTING_REPEATS' })
  expect((await bench.lost()).map(({ code }) => code).sort()).toEqual([
    'LISTING_PROBE',
    'LISTING_REPEATS',
    'UNIVERSE',
  ])
})

test.for([
  { total: 500, chosen: 500 },
  { total: 100, chosen: 100 },
])('a ranking of $total whose last page comes again is whole', async ({ total, chosen }) => {
  const bench = await fetchBench()
  bench.answer((query) => listedClamped(query, total))
  await choose(bench, 1000)
  expect(await stagedUniverse(bench.stage, 1000, NOW_MS)).toHaveLength(chosen)
})

test('a ranking that is read over midnight stays one', async () => {
  const bench = await fetchBench()
  bench.answer((query) => listed(query, 600))
  const lateMs = TODAY_MS + DAY_MS - 1_000
  const nextDayMs = TODAY_MS + DAY_MS + 1_000
  await page(bench, 600, 1, lateMs)
  await page(bench, 600, 2, nextDayMs)
  await page(bench, 600, 3, nextDayMs)
  expect(await stagedUniverse(bench.stage, 600, nextDayMs)).toHaveLength(600)
  // A day later it is too old to be chosen from.
  expect(await stagedUniverse(bench.stage, 600, nextDayMs + DAY_MS)).toBeNull()
})

test('a part of a ranking is none', async () => {
  const bench = await fetchBench()
  bench.answer((query) => listed(query, 600))
  await page(bench, 600, 1)
  expect(await stagedUniverse(bench.stage, 600, NOW_MS)).toBeNull()
})

test.for([
  { status: 429, code: 'THROTTLED' },
  { status: 500, code: 'SOURCE_UNAVAILABLE' },
])('a call that HTTP $status answers is counted', async ({ status, code }) => {
  const bench = await fetchBench()
  bench.answer(() => ({ status, body: { error: KEY }, headers: { 'retry-after': '2' } }))
  await page(bench, 100, 1).catch(() => undefined)
  expect(await bench.lost()).toMatchObject([{ code, status, calls: 1 }])
  for (const text of await bench.texts()) expect(text).not.toContain(KEY)
})
