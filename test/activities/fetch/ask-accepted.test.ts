import { expect, onTestFinished, test, vi } from 'vitest'
import { fetchPage } from '../../../activities/fetch/fetch-page.ts'
import type { SourceClient } from '../../../api/client.ts'
import type { FetchBench, ScriptedAnswer } from './fetch-bench.ts'
import {
  freePageCalls,
  coins,
  fetchBench,
  firstPage,
  listed,
  MARKETS,
  planned,
  readListing,
} from './fetch-bench.ts'

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

test('a service that refuses extras twice is asked without, from the second page on at once', async () => {
  const bench = await fetchBench(
    strict(['vs_currency', 'page', 'per_page'], (query) => listed(query, 600)),
  )
  const pages = await readListing(bench)
  expect(pages.map((page) => page.kind === 'page' && page.itemCount)).toEqual([250, 250, 100, 0])
  expect(queries(bench)).toEqual([
    expect.stringContaining('order=id_asc'),
    'vs_currency=usd&per_page=250&page=1',
    expect.stringContaining('order=id_asc'),
    'vs_currency=usd&per_page=250&page=2',
    'vs_currency=usd&per_page=250&page=3',
    'vs_currency=usd&per_page=250&page=4',
  ])
  // The refused request and the ping after it are calls too.
  const refused = { code: 'SOURCE_BAD_REQUEST', status: 400 }
  const lost = (await bench.lost()).sort((a, b) => b.calls - a.calls)
  expect(lost).toMatchObject([
    { ...refused, calls: 2 },
    { ...refused, calls: 1 },
  ])
})

const known = ['vs_currency', 'page', 'per_page']
const IN_EUR = planned({ ...MARKETS, vsCurrency: 'eur' })

/** How the requests of a bench were answered and made: `all` parameters, or `few`. */
const waysOf = (bench: FetchBench): string[] =>
  queries(bench).map((query) => (query.includes('order=') ? 'all' : 'few'))

test('a plain answer that a 429 kept from being confirmed is remembered', async () => {
  const bench = await fetchBench()
  let requests = 0
  bench.answer((query) => {
    if (++requests === 3) return { status: 429, headers: { 'retry-after': '0' }, body: {} }
    return strict(known, () => ({ body: coins(1) }))(query)
  })
  expect(await bench.fetch({ slice: IN_EUR })).toMatchObject({ kind: 'throttled' })
  const pageCalls = freePageCalls()
  expect(await bench.fetch({ slice: IN_EUR }, pageCalls)).toMatchObject({ kind: 'page' })
  expect(pageCalls.leftOut).toContain('order')
  // Refused, plain, 429; refused again, plain: that is the second refusal.
  expect(waysOf(bench)).toEqual(['all', 'few', 'all', 'all', 'few'])
})

test('a refusal that passes takes no parameter from any page', async () => {
  const bench = await fetchBench()
  let requests = 0
  bench.answer((query) => {
    if (++requests === 1) return { status: 400, body: { error: 'temporary hiccup' } }
    return { body: query.has('order') ? coins(3) : coins(1) }
  })
  const pageCalls = freePageCalls()
  expect(await bench.fetch({}, pageCalls)).toMatchObject({ kind: 'page', itemCount: 3 })
  expect(pageCalls.leftOut).toBeUndefined()
  await bench.fetch({ slice: IN_EUR })
  expect(waysOf(bench)).toEqual(['all', 'few', 'all', 'all'])
  const codes = await bench.lostCodes()
  expect(codes).toEqual(['PARAMETERS_PROBE', 'SOURCE_BAD_REQUEST'])
})

test('a fault of the call that confirms is recorded once', async () => {
  const bench = await fetchBench()
  let requests = 0
  bench.answer((query) => {
    if (++requests === 3) return { status: 503, body: {} }
    return strict(known, () => ({ body: coins(1) }))(query)
  })
  await expect(bench.fetch({})).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
  expect(waysOf(bench)).toEqual(['all', 'few', 'all'])
  const lost = (await bench.lost()).map(({ code, status }) => `${code} ${status}`)
  expect(lost.sort()).toEqual([
    'PARAMETERS_PROBE 200',
    'SOURCE_BAD_REQUEST 400',
    'SOURCE_UNAVAILABLE 503',
  ])
})

test('a page that waits for the search of another hears the end of its own run', async () => {
  const bench = await fetchBench(strict(known, () => ({ body: coins(1) })))
  const { deps } = bench
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const get: SourceClient['get'] = async (operation, params, options) => {
    if (operation.id !== 'ping' && !('order' in params)) {
      begun.resolve()
      await held.promise
    }
    return deps.client.get(operation, params, options)
  }
  const holding = { ...deps, client: { ...deps.client, get } }
  const searching = fetchPage(holding, firstPage(planned(MARKETS)), freePageCalls())
  await begun.promise
  const stop = new AbortController()
  const pageCalls = { ...freePageCalls(), furtherCallsStop: stop.signal }
  const waiting = fetchPage(holding, firstPage(IN_EUR), pageCalls)
  await expect.poll(() => waysOf(bench)).toEqual(['all', 'all'])
  stop.abort(new Error('paused'))
  await expect(waiting).rejects.toThrow('paused')
  held.resolve()
  expect(await searching).toMatchObject({ kind: 'page' })
})

test('a refusal is doubted by one call an hour, and no more once the service understands', async () => {
  const bench = await fetchBench()
  let hasLearned = false
  const refusing = strict(known, () => ({ body: coins(1) }))
  bench.answer((query) => (hasLearned ? { body: coins(1) } : refusing(query)))
  const clock = performance.now.bind(performance)
  let aheadMs = 0
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => clock() + aheadMs)
  onTestFinished(() => spy.mockRestore())
  const askIn = (vsCurrency: string, pageCalls = freePageCalls()) =>
    bench.fetch({ slice: planned({ ...MARKETS, vsCurrency }) }, pageCalls)
  const pageCalls = freePageCalls()
  await askIn('usd', pageCalls)
  expect(pageCalls.leftOut).toEqual(['order', 'price_change_percentage'])
  await askIn('eur')
  aheadMs += 3_600_000
  await askIn('gbp')
  await askIn('chf')
  aheadMs += 3_600_000
  hasLearned = true
  await askIn('jpy')
  await askIn('sek')
  expect(waysOf(bench).join(' ')).toBe(
    ['all few all', 'few', 'all few', 'few', 'all', 'all'].join(' '),
  )
})

test('of pages that are refused at once one asks again', async () => {
  const bench = await fetchBench(strict(known, () => ({ body: coins(1) })))
  const inAll = ['usd', 'eur', 'gbp', 'chf'].map((vsCurrency) => ({
    slice: planned({ ...MARKETS, vsCurrency }),
  }))
  await Promise.all(inAll.map((input) => bench.fetch(input)))
  expect(waysOf(bench).sort()).toEqual([...Array(5).fill('all'), ...Array(4).fill('few')])
})

test('two refusals that pass take neither pages nor extras from a listing', async () => {
  const bench = await fetchBench()
  let requests = 0
  bench.answer(() => {
    if (++requests <= 2) return { status: 400, body: { error: 'temporary hiccup' } }
    return { body: { name: 'Kraken', tickers: [] } }
  })
  const slice = { ...MARKETS, dataset: 'exchange_tickers', entity: 'kraken', vsCurrency: '' }
  await bench.fetch({ slice: planned(slice) })
  const asked = queries(bench).map((query) => query.split('&').length)
  // All, without extras, without pages; then the last two again, the better one last.
  expect(asked).toEqual([4, 1, 1, 1, 4])
})

test('a listing whose pages the interface does not name is taken whole where pages are refused', async () => {
  const bench = await fetchBench()
  const tickers = Array.from({ length: 200 }, (_, i) => ({ base: `B${i}`, target: 'USDT' }))
  bench.answer(strict([], () => ({ body: { name: 'Kraken', tickers } })))
  const slice = { ...MARKETS, dataset: 'exchange_tickers', entity: 'kraken', vsCurrency: '' }
  const pages = await readListing(bench, { slice: planned(slice) })
  expect(pages).toMatchObject([{ itemCount: 200, rowCount: 200, next: null }])
  // The one before the last is the way that is refused again.
  expect(queries(bench).slice(-2)).toEqual(['', 'page=1'])
  expect(bench.asked().length).toBe(5)
})

test('a value that is wrong is refused in every way, and the first refusal is told', async () => {
  const bench = await fetchBench((query) => ({
    status: query.has('order') ? 422 : 400,
    body: { error: 'invalid vs_currency' },
  }))
  const pageCalls = freePageCalls()
  await expect(bench.fetch({}, pageCalls)).rejects.toMatchObject({
    code: 'SOURCE_BAD_REQUEST',
    facts: { status: 422 },
  })
  expect(queries(bench)).toHaveLength(2)
  const lost = await bench.lost()
  expect(lost.map(({ code }) => code)).toEqual(['SOURCE_BAD_REQUEST', 'SOURCE_BAD_REQUEST'])
  expect(pageCalls.callsMade).toBe(lost.reduce((sum, { calls }) => sum + calls, 0))
  // That answer proves nothing of the extras: they are asked for again.
  bench.answer(() => ({ body: coins(1) }))
  await bench.fetch({ slice: planned({ ...MARKETS, vsCurrency: 'eur' }) })
  expect(queries(bench)).toEqual([expect.stringContaining('order=id_asc')])
})

test.for([
  { status: 404, code: 'SOURCE_NOT_FOUND' },
  { status: 401, code: 'SOURCE_AUTH' },
  { status: 503, code: 'SOURCE_UNAVAILABLE' },
])('HTTP $status is no matter of parameters', async ({ status, code }) => {
  const bench = await fetchBench(() => ({ status, body: { error: 'no' } }))
  await expect(bench.fetch({})).rejects.toMatchObject({ code })
  expect(queries(bench)).toHaveLength(1)
})
