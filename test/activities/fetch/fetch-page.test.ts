import { expect, test } from 'vitest'
import type { Config } from '../../../config/config.ts'
import type { FetchPageResult } from '../../../activities/activity-types.ts'
import {
  CHART,
  freePageCalls,
  coins,
  DAY_MS,
  fetchBench,
  listed,
  listedClamped,
  MARKETS,
  NOW_MS,
  planned,
  readListing,
  TODAY_MS,
} from './fetch-bench.ts'

const HOUR_MS = 3_600_000
const SECOND_MS = Math.floor(NOW_MS / 1000) * 1000
function chart(stepMs: number, count: number): unknown {
  const prices = Array.from({ length: count }, (_, i) => [CHART.fromMs + i * stepMs, 1 + i])
  return { prices, market_caps: [], total_volumes: [] }
}

/** More keys than any object of the interface. */
const CROWDED = Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`k${i}`, i]))

type Page = Extract<FetchPageResult, { kind: 'page' }>

const items = (results: FetchPageResult[]): number[] =>
  results.map((result) => (result as Page).itemCount)

test('a page is staged with what is known of it, and answers by itself the next time', async () => {
  const bench = await fetchBench(() => ({
    body: coins(3),
    headers: {
      total: '3',
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '29',
      'x-ratelimit-reset': '60',
    },
  }))
  const first = await bench.fetch({})
  expect(first).toMatchObject({
    kind: 'page',
    calls: 1,
    itemCount: 3,
    rowCount: 3,
    observedAtMs: SECOND_MS,
    next: null,
  })
  expect(await bench.fetch({})).toEqual({ ...first, calls: 0, bytes: 0 })
  expect(bench.asked()).toHaveLength(1)
  const { sliceId, generation } = planned(MARKETS)
  const [page] = (await bench.stage.findSlice(sliceId, generation)) ?? []
  expect(page).toMatchObject({
    slice: MARKETS,
    operation: 'coins/markets',
    status: 200,
    calls: 1,
    fetchedAtMs: SECOND_MS,
    url: expect.stringMatching(/\/v2\/coins\/markets\?.*page=1/),
  })
  expect(await bench.lost()).toEqual([])
})

test('another generation of the slice never meets the old page', async () => {
  const bench = await fetchBench(() => ({ body: coins(1) }))
  await bench.fetch({})
  await bench.fetch({ slice: { ...planned(MARKETS), generation: 1 } })
  expect(bench.asked()).toHaveLength(2)
})

test.for([
  { name: 'short last page', total: 620, grants: 250, pages: [250, 250, 120, 0] },
  { name: 'full last page', total: 500, grants: 250, pages: [250, 250, 0] },
  { name: 'nothing', total: 0, grants: 250, pages: [0] },
  { name: 'one short page', total: 3, grants: 250, pages: [3, 0] },
  { name: 'clamped to 100', total: 230, grants: 100, pages: [100, 100, 30, 0] },
  { name: 'clamped to 30', total: 70, grants: 30, pages: [30, 30, 10, 0] },
  { name: 'clamped to 7', total: 14, grants: 7, pages: [7, 7, 0] },
  { name: 'short last page, told', total: 620, grants: 250, pages: [250, 250, 120], told: 620 },
  { name: 'one short page, told', total: 3, grants: 250, pages: [3], told: 3 },
  { name: 'clamped to 30, told', total: 70, grants: 30, pages: [30, 30, 10], told: 70 },
  // A full page may have another behind it, whatever is told.
  {
    name: 'a count that is that of the page',
    total: 300,
    grants: 250,
    pages: [250, 50],
    told: 250,
  },
  { name: 'a count that is too high', total: 40, grants: 250, pages: [40, 0], told: 54 },
])('a listing ends at its end: $name', async ({ total, grants, pages, told }) => {
  const bench = await fetchBench()
  const headers: Record<string, string> = told === undefined ? {} : { total: String(told) }
  bench.answer((query) => ({ ...listed(query, total, grants), headers }))
  const results = await readListing(bench)
  expect(items(results)).toEqual(pages)
  expect(bench.asked()).toHaveLength(pages.length)
  const { sliceId } = planned(MARKETS)
  expect(await bench.stage.findSlice(sliceId, 0)).toHaveLength(pages.length)
  // One time of observation for all pages.
  expect(new Set(results.map((result) => (result as Page).observedAtMs))).toEqual(
    new Set([SECOND_MS]),
  )
})

test.for([
  { name: 'two pages', total: 500, grants: 250, pages: [250, 250, 0], calls: 4 },
  { name: 'a round rest', total: 300, grants: 250, pages: [250, 50, 0], calls: 3 },
  { name: 'one full page', total: 250, grants: 250, pages: [250, 0], calls: 3 },
  { name: 'one round page', total: 100, grants: 250, pages: [100, 0], calls: 3 },
  { name: 'one clamped page', total: 50, grants: 50, pages: [50, 0], calls: 3 },
  { name: 'a short rest', total: 257, grants: 250, pages: [250, 7, 0], calls: 3 },
  { name: 'three full pages', total: 750, grants: 250, pages: [250, 250, 250, 0], calls: 5 },
  { name: 'one odd page', total: 37, grants: 250, pages: [37, 0], calls: 3 },
  { name: 'one item', total: 1, grants: 250, pages: [1, 0], calls: 2 },
])('a last page that comes again is the end: $name', async ({ total, grants, pages, calls }) => {
  const bench = await fetchBench((query) => listedClamped(query, total, grants))
  const results = await readListing(bench)
  expect(items(results)).toEqual(pages)
  expect(bench.asked()).toHaveLength(calls)
  const staged = (await bench.stage.findSlice(planned(MARKETS).sliceId, 0)) ?? []
  const rows = staged.map(({ tables }) => tables[0]?.rowCount)
  expect(rows).toEqual(pages)
  // Repeated items are in a count, and every call is in the ledger.
  expect(staged.at(-1)?.counts.duplicate).toBe(pages.at(-2))
  const lost = await bench.lost()
  expect(lost.map(({ code }) => code)).toEqual(calls > pages.length ? ['LISTING_PROBE'] : [])
})

test('a probe that is told to wait leaves the page for later', async () => {
  const bench = await fetchBench((query) =>
    query.get('per_page') === '50'
      ? { status: 429, headers: { 'retry-after': '1' }, body: {} }
      : listedClamped(query, 100),
  )
  const results = await readListing(bench)
  expect(results.at(-1)).toMatchObject({ kind: 'throttled', calls: 2 })
  const lost = await bench.lost()
  expect(lost.reduce((calls, request) => calls + request.calls, 0)).toBe(2)
})

test('a service that ignores the page number ends the listing with an error, not never', async () => {
  const bench = await fetchBench((query) => ({
    body: coins(Math.min(250, Number(query.get('per_page')))),
  }))
  await expect(readListing(bench)).rejects.toMatchObject({
    code: 'LISTING_REPEATS',
    exitCode: 3,
    retryable: false,
    message: expect.stringContaining('page 2 of the listing has the rows of page 1'),
  })
  expect(bench.asked()).toHaveLength(3)
  const lost = await bench.lost()
  expect(lost.map(({ code }) => code).sort()).toEqual(['LISTING_PROBE', 'LISTING_REPEATS'])
})

test.for([
  { name: 'page 2', page: '2', total: 600 },
  { name: 'page 3', page: '3', total: 900 },
])(
  '$name given as the page before it is asked for again, not taken for the end',
  async (glitch) => {
    const bench = await fetchBench()
    let times = 0
    bench.answer((query) => {
      const isMet = query.get('page') === glitch.page && query.get('per_page') === '250' && !times++
      const page = isMet ? String(Number(glitch.page) - 1) : query.get('page')!
      return listed(new URLSearchParams({ per_page: query.get('per_page')!, page }), glitch.total)
    })
    await expect(readListing(bench)).rejects.toMatchObject({
      code: 'LISTING_GLITCH',
      retryable: true,
    })
    const sum = (counts: number[]): number => counts.reduce((all, count) => all + count, 0)
    expect(sum(items(await readListing(bench)))).toBe(glitch.total)
  },
)

test('tickers, whose page size cannot be chosen, end with a short page that comes again', async () => {
  const bench = await fetchBench()
  const tickers = (count: number): unknown[] =>
    Array.from({ length: count }, (_, i) => ({
      base: `B${i}`,
      target: 'USD',
      market: { identifier: 'm', name: 'M' },
      coin_id: 'c',
    }))
  const slice = planned({ ...MARKETS, dataset: 'coin_tickers', entity: 'c', vsCurrency: '' })
  bench.answer(() => ({ body: { name: 'C', tickers: tickers(37) } }))
  expect(items(await readListing(bench, { slice }))).toEqual([37, 0])
  bench.answer(() => ({ body: { name: 'C', tickers: tickers(100) } }))
  const again = readListing(bench, { slice: { ...slice, generation: 1 } })
  await expect(again).rejects.toMatchObject({ code: 'LISTING_REPEATS' })
})

test('a listing that never ends, with other rows each time, is refused beyond 1,000 pages', async () => {
  const bench = await fetchBench((query) => listed(query, Infinity))
  await bench.fetch({ page: 1_000, observedAtMs: SECOND_MS, previousAskedAtMs: Date.now() })
  const beyond = { page: 1_001, observedAtMs: SECOND_MS, previousAskedAtMs: Date.now() }
  await expect(bench.fetch(beyond)).rejects.toMatchObject({ code: 'LISTING_ENDLESS' })
})

test('prices that move while a listing is read are no reason to call it repeated', async () => {
  const bench = await fetchBench((query) => ({
    // One coin slipped from page 1 to page 2.
    body: [coins(250), coins(7, 249), []][Number(query.get('page')) - 1],
  }))
  expect(items(await readListing(bench))).toEqual([250, 7, 0])
})

test('a wrong granularity is told with its call, and never staged', async () => {
  const bench = await fetchBench(() => ({ body: chart(DAY_MS, 5) }))
  const slice = planned(CHART)
  expect(await bench.fetch({ slice })).toEqual({
    kind: 'wrong_granularity',
    delivered: '1d',
    isLastWay: false,
    calls: 1,
  })
  expect(await bench.stage.findSlice(slice.sliceId, 0)).toBeNull()
  expect(await bench.lost()).toMatchObject([
    { sliceId: slice.sliceId, code: 'WRONG_GRANULARITY', status: 200, calls: 1 },
  ])
  bench.answer(() => ({ body: chart(HOUR_MS, 49) }))
  expect(await bench.fetch({ slice, attempt: 2 })).toMatchObject({ kind: 'page', rowCount: 48 })
})

test('a source whose clock is ahead settles nothing that is not over here', async () => {
  const bench = await fetchBench(() => ({ body: chart(HOUR_MS, 49), atMs: NOW_MS + DAY_MS }))
  await bench.fetch({ slice: planned(CHART) })
  const { sliceId, generation } = planned(CHART)
  const first = { sliceId, generation, step: 0, page: 1 }
  expect(await bench.stage.find(first)).toMatchObject({ fetchedAtMs: NOW_MS })
})

test('429 is an answer with a time, and a call', async () => {
  const bench = await fetchBench(() => ({
    status: 429,
    headers: { 'retry-after': '3' },
    body: { error: 'slow' },
  }))
  const beforeMs = Date.now()
  const result = await bench.fetch({})
  expect(result).toMatchObject({ kind: 'throttled', calls: 1 })
  const { throttledUntilMs } = result as Extract<FetchPageResult, { kind: 'throttled' }>
  expect(throttledUntilMs).toBeGreaterThanOrEqual(beforeMs + 2_900)
  expect(throttledUntilMs).toBeLessThanOrEqual(Date.now() + 3_000)
  expect(await bench.lost()).toMatchObject([{ code: 'THROTTLED', status: 429, calls: 1 }])
})

test('when the pacer itself says wait, no call is made and none is counted', async () => {
  const bench = await fetchBench(() => ({
    status: 429,
    headers: { 'retry-after': '60' },
    body: {},
  }))
  await bench.fetch({})
  expect(await bench.fetch({})).toMatchObject({ kind: 'throttled', calls: 0 })
  expect(bench.asked()).toHaveLength(1)
  expect(await bench.lost()).toHaveLength(1)
})

test.for([
  { status: 503, body: {}, code: 'SOURCE_UNAVAILABLE', retryable: true },
  { status: 404, body: { error: 'no such coin' }, code: 'SOURCE_NOT_FOUND', retryable: false },
  { status: 401, body: { error: 'bad key' }, code: 'SOURCE_AUTH', retryable: false },
  { status: 200, body: { what: 'is this' }, code: 'SOURCE_DATA', retryable: false },
  { status: 200, body: [CROWDED], code: 'SOURCE_DATA', retryable: false },
])('HTTP $status is $code, and its call is noted', async ({ status, body, code, retryable }) => {
  const bench = await fetchBench(() => ({ body: coins(1) }))
  await bench.fetch({ slice: planned({ ...MARKETS, vsCurrency: 'eur' }) })
  bench.answer(() => ({ status, body }))
  await expect(bench.fetch({})).rejects.toMatchObject({ code, retryable })
  expect(await bench.lost()).toMatchObject([{ code, status, calls: 1, operation: 'coins/markets' }])
  expect(await bench.stage.find({ ...planned(MARKETS), step: 0, page: 1 })).toBeNull()
})

test('every repetition after a connection fault is a call', async () => {
  const bench = await fetchBench(() => ({ isReset: true }))
  await expect(bench.fetch({})).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
  const calls = bench.asked().length
  expect(calls).toBeGreaterThan(1)
  expect(await bench.lost()).toMatchObject([{ status: null, calls }])
})

test('a run that is stopped waits for the call that has left, and makes no first one', async () => {
  const bench = await fetchBench()
  const stop = new AbortController()
  bench.answer((query) => {
    stop.abort()
    return listed(query, 10)
  })
  const pageCalls = {
    ...freePageCalls(),
    firstCallStop: stop.signal,
    furtherCallsStop: stop.signal,
  }
  expect(await bench.fetch({}, pageCalls)).toMatchObject({ kind: 'page', itemCount: 10 })
  const next = { page: 2, observedAtMs: SECOND_MS, previousAskedAtMs: Date.now() }
  await expect(bench.fetch(next, { ...pageCalls, callsMade: 0 })).rejects.toBe(stop.signal.reason)
  expect(await bench.lost()).toEqual([])
})

const YESTERDAY = { ...MARKETS, fromMs: TODAY_MS - DAY_MS, toMs: TODAY_MS }
const RANGE = 'coins/{id}/market_chart/range'
const CANDLES = { ...CHART, dataset: 'ohlc', granularity: '30m' } as const
const OLD_CANDLES = { ...CANDLES, fromMs: TODAY_MS - 2 * DAY_MS, toMs: TODAY_MS - DAY_MS }

test.each([
  { what: 'a bucket that is over', slice: YESTERDAY, code: 'BUCKET_MISSED', of: 'coins/markets' },
  { what: 'what the key no longer reaches', slice: CHART, code: 'REACH_MOVED_ON', of: RANGE },
  {
    what: 'what the source no longer reaches',
    slice: OLD_CANDLES,
    code: 'REACH_MOVED_ON',
    of: 'coins/{id}/ohlc',
  },
])('$what is not asked for', async ({ slice, code, of }) => {
  const bench = await fetchBench(() => ({ body: coins(1) }))
  bench.deps.config = { source: { maxHistoryDays: 9 } } as Config
  await expect(bench.fetch({ slice: planned(slice) })).rejects.toMatchObject({
    code,
    exitCode: 3,
    message: expect.stringContaining(`Z: ${of} was not requested`),
  })
  expect(bench.asked()).toEqual([])
})

test('a bucket that began before the reach of the key is asked for', async () => {
  const bench = await fetchBench(() => ({ body: coins(1) }))
  bench.deps.config = { source: { maxHistoryDays: 9 } } as Config
  const month = { ...MARKETS, granularity: '30d', fromMs: TODAY_MS - 20 * DAY_MS } as const
  expect(await bench.fetch({ slice: planned(month) })).toMatchObject({ rowCount: 1 })
})

test('a bucket that ends by the time of the answer is missed, and the call noted', async () => {
  const bench = await fetchBench(() => ({ body: coins(1), atMs: TODAY_MS + DAY_MS }))
  await expect(bench.fetch({})).rejects.toMatchObject({ code: 'BUCKET_MISSED' })
  expect(await bench.lost()).toMatchObject([{ code: 'BUCKET_MISSED', status: 200, calls: 1 }])
})

test('a listing is stale by the gap to the page before, however old its first page is', async () => {
  const bench = await fetchBench((query) => listed(query, 600))
  const second = { page: 2, observedAtMs: SECOND_MS }
  const stale = { ...second, previousAskedAtMs: Date.now() - 11 * 60_000 }
  expect(await bench.fetch(stale)).toEqual({ kind: 'listing_stale', calls: 0 })
  expect(bench.asked()).toEqual([])
  const fresh = { ...second, previousAskedAtMs: Date.now() - 9 * 60_000 }
  expect(await bench.fetch(fresh)).toMatchObject({ kind: 'page', itemCount: 250 })
})

test('pages of an earlier reading never answer for a listing that was started again', async () => {
  const bench = await fetchBench((query) => listed(query, 260))
  await readListing(bench)
  expect(bench.asked()).toHaveLength(3)
  // Started again, by another time of the source: all pages are asked for anew.
  const laterMs = SECOND_MS + 20 * 60_000
  bench.answer((query) => ({ ...listed(query, 260), atMs: laterMs }))
  const [first] = await readListing(bench, { freshAfterMs: Date.now() })
  expect(first).toMatchObject({ observedAtMs: laterMs })
  expect(bench.asked()).toHaveLength(3)
  const { sliceId } = planned(MARKETS)
  const staged = (await bench.stage.findSlice(sliceId, 0)) ?? []
  expect(staged.map((page) => page.observedAtMs)).toEqual([laterMs, laterMs, laterMs])
})

test('killed between two readings: the old second page does not join the new first one', async () => {
  const bench = await fetchBench((query) => listed(query, 260))
  await readListing(bench)
  const laterMs = SECOND_MS + 20 * 60_000
  bench.answer((query) => ({ ...listed(query, 260), atMs: laterMs }))
  await bench.fetch({ freshAfterMs: Date.now() })
  // A new run knows nothing of the restart.
  const again = await readListing(bench)
  expect(again.map(({ calls }) => calls)).toEqual([0, 1, 1])
  const observed = new Set(again.map((result) => (result as Page).observedAtMs))
  expect(observed).toEqual(new Set([laterMs]))
})
