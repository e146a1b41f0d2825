import { expect, test } from 'vitest'
import { universePage, stagedUniverse } from '../../../activities/fetch/fetch-universe.ts'
import type { FetchPageResult } from '../../../activities/activity-types.ts'
import type { Slice } from '../../../datasets/dataset.ts'
import type { FetchBench, ScriptedAnswer } from './fetch-bench.ts'
import { freeLimits, coins, fetchBench, listed, MARKETS, NOW_MS, planned } from './fetch-bench.ts'

/** A service that refuses every parameter but these. */
function strict(
  known: readonly string[],
  answer: (query: URLSearchParams) => ScriptedAnswer,
): (query: URLSearchParams) => ScriptedAnswer {
  return (query) => {
    const odd = [...query.keys()].find((name) => !known.includes(name))
    if (odd === undefined) return answer(query)
    return { status: 400, body: { error: `unknown parameter ${odd}` } }
  }
}

const queries = (bench: FetchBench): string[] =>
  bench
    .asked()
    .filter((url) => !url.endsWith('/ping'))
    .map((url) => url.split('?')[1] ?? '')

async function readListing(bench: FetchBench, slice: Slice): Promise<FetchPageResult[]> {
  const results: FetchPageResult[] = []
  let next: { step: number; page: number } | null = { step: 0, page: 1 }
  let observedAtMs: number | null = null
  while (next !== null) {
    const isFirst = next.page === 1
    const result: FetchPageResult = await bench.fetch({
      slice: planned(slice),
      ...next,
      observedAtMs: isFirst ? null : observedAtMs,
    })
    results.push(result)
    if (result.kind !== 'page') return results
    observedAtMs = result.observedAtMs
    next = result.next
  }
  return results
}

test('a service that knows no extras is asked without, from the second request on at once', async () => {
  const bench = await fetchBench()
  bench.answer(strict(['vs_currency', 'page', 'per_page'], (query) => listed(query, 600)))
  const pages = await readListing(bench, MARKETS)
  expect(pages.map((page) => page.kind === 'page' && page.itemCount)).toEqual([250, 250, 100, 0])
  expect(queries(bench)).toEqual([
    expect.stringContaining('order=id_asc'),
    'vs_currency=usd&per_page=250&page=1',
    'vs_currency=usd&per_page=250&page=2',
    'vs_currency=usd&per_page=250&page=3',
    'vs_currency=usd&per_page=250&page=4',
  ])
  // The refused request and the ping after it are calls too.
  expect(await bench.lost()).toMatchObject([{ code: 'SOURCE_BAD_REQUEST', status: 400, calls: 2 }])
})

test('the ranking is asked for plainly as well', async () => {
  const bench = await fetchBench()
  bench.answer(strict(['vs_currency', 'page', 'per_page'], (query) => listed(query, 600)))
  await universePage(bench.deps, 'top:100', 1, freeLimits())
  expect(await stagedUniverse(bench.stage, { top: 100 }, NOW_MS)).toHaveLength(100)
})

test('a listing whose pages the interface does not name is taken whole where pages are refused', async () => {
  const bench = await fetchBench()
  const tickers = Array.from({ length: 200 }, (_, i) => ({ base: `B${i}`, target: 'USDT' }))
  bench.answer(strict([], () => ({ body: { name: 'Kraken', tickers } })))
  const slice = { ...MARKETS, dataset: 'exchange_tickers', entity: 'kraken', vsCurrency: '' }
  const pages = await readListing(bench, slice)
  expect(pages).toMatchObject([{ itemCount: 200, rowCount: 200, next: null }])
  expect(queries(bench).at(-1)).toBe('')
  expect(bench.asked().length).toBe(4)
})

test('a value that is wrong is refused in every way, and the first refusal is told', async () => {
  const bench = await fetchBench()
  bench.answer((query) => ({
    status: query.has('order') ? 422 : 400,
    body: { error: 'invalid vs_currency' },
  }))
  await expect(bench.fetch({})).rejects.toMatchObject({
    code: 'SOURCE_BAD_REQUEST',
    facts: { status: 422 },
  })
  expect(queries(bench)).toHaveLength(2)
  expect((await bench.lost()).map(({ code }) => code)).toEqual([
    'SOURCE_BAD_REQUEST',
    'SOURCE_BAD_REQUEST',
  ])
  // It proves nothing of the extras: they are asked for again.
  bench.answer(() => ({ body: coins(1) }))
  await bench.fetch({ slice: planned({ ...MARKETS, vsCurrency: 'eur' }) })
  expect(queries(bench)).toEqual([expect.stringContaining('order=id_asc')])
})

test.for([
  { status: 404, code: 'SOURCE_NOT_FOUND' },
  { status: 401, code: 'SOURCE_AUTH' },
  { status: 503, code: 'SOURCE_UNAVAILABLE' },
])('HTTP $status is no matter of parameters', async ({ status, code }) => {
  const bench = await fetchBench()
  bench.answer(() => ({ status, body: { error: 'no' } }))
  await expect(bench.fetch({})).rejects.toMatchObject({ code })
  expect(queries(bench)).toHaveLength(1)
})

test('a page counts each call of a request that was refused in every way', async () => {
  const bench = await fetchBench()
  bench.answer(() => ({ status: 400, body: { error: 'no' } }))
  const limits = freeLimits()
  await expect(bench.fetch({}, limits)).rejects.toMatchObject({ code: 'SOURCE_BAD_REQUEST' })
  const costs = (await bench.lost()).map(({ calls }) => calls)
  expect(costs.length).toBeGreaterThan(1)
  expect(limits.calls).toBe(costs.reduce((sum, calls) => sum + calls))
})
