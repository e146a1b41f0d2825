import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  fetchUniverse,
  stagedUniverse,
  universePage,
} from '../../../activities/fetch/fetch-universe.ts'
import { runsOfProcess } from '../../../activities/fetch/key-ring.ts'
import { frozenClock } from '../../../config/clock.ts'
import type { FetchBench } from './fetch-bench.ts'
import {
  freePageCalls,
  coins,
  DAY_MS,
  fetchBench,
  listed,
  listedClamped,
  NOW_MS,
  TODAY_MS,
} from './fetch-bench.ts'

async function page(bench: FetchBench, selector: string, number: number, nowMs = NOW_MS) {
  const deps = { ...bench.deps, clock: frozenClock(nowMs) }
  const pageCalls = freePageCalls()
  return { ...(await universePage(deps, selector, number, pageCalls)), calls: pageCalls.callsMade }
}

/** Reads the ranking as the run does; the calls of each page. */
async function choose(bench: FetchBench, selector: string): Promise<number[]> {
  const calls: number[] = []
  for (let number = 1; ; number++) {
    const result = await page(bench, selector, number)
    calls.push(result.calls)
    if (result.kind !== 'page' || result.next === null) return calls
    expect(result.next).toEqual({ step: 0, page: number + 1 })
  }
}

test.for([
  { name: 'less than a page', top: 30, total: 1000, grants: 250, calls: 1, chosen: 30 },
  { name: 'whole pages', top: 500, total: 1000, grants: 250, calls: 2, chosen: 500 },
  { name: 'a part of the last page', top: 600, total: 1000, grants: 250, calls: 3, chosen: 600 },
  { name: 'more than there are', top: 600, total: 320, grants: 250, calls: 3, chosen: 320 },
  { name: 'granted less than asked', top: 600, total: 1000, grants: 100, calls: 6, chosen: 600 },
])('top:$top of $total, $name', async ({ top, total, grants, calls, chosen }) => {
  const bench = await fetchBench((query) => listed(query, total, grants))
  expect(await choose(bench, `top:${top}`)).toEqual(Array.from({ length: calls }, () => 1))
  const ids = await stagedUniverse(bench.stage, { top: top }, NOW_MS)
  expect(ids).toHaveLength(chosen)
  expect(ids?.slice(0, 2)).toEqual(['coin-00000', 'coin-00001'])
  expect(new Set(ids).size).toBe(chosen)
  // Staged already: the next run that day chooses without a call.
  expect(await choose(bench, `top:${top}`)).toEqual(Array.from({ length: calls }, () => 0))
  // Its calls reach the ledger although no load brings them.
  const lost = await bench.lost()
  expect(lost).toHaveLength(calls)
  expect(new Set(lost.map(({ code }) => code))).toEqual(new Set(['UNIVERSE']))
})

test('a row without an id is no coin, and no reason to take a full page for the last', async () => {
  const bench = await fetchBench((query) => {
    const { body } = listed(query, 500)
    return { body: (body as unknown[]).map((row, i) => (i === 7 ? { id: null } : row)) }
  })
  await choose(bench, 'top:500')
  expect(await stagedUniverse(bench.stage, { top: 500 }, NOW_MS)).toHaveLength(498)
})

test('a ranking that repeats its first page is refused, not cut short', async () => {
  const bench = await fetchBench(() => ({ body: coins(250) }))
  await expect(choose(bench, 'top:1000')).rejects.toMatchObject({ code: 'LISTING_REPEATS' })
  expect(await bench.lostCodes()).toEqual(['LISTING_PROBE', 'LISTING_REPEATS', 'UNIVERSE'])
})

test.for([
  { total: 500, chosen: 500 },
  { total: 100, chosen: 100 },
])('a ranking of $total whose last page comes again is whole', async ({ total, chosen }) => {
  const bench = await fetchBench((query) => listedClamped(query, total))
  await choose(bench, 'top:1000')
  expect(await stagedUniverse(bench.stage, { top: 1000 }, NOW_MS)).toHaveLength(chosen)
})

describe('a ranking of a service that refuses `order`', () => {
  const refusing = (rankOf: (index: number) => unknown) => (query: URLSearchParams) => {
    if (query.has('order')) return { status: 400, body: { error: 'unknown parameter order' } }
    const { body } = listed(query, 1000)
    const before = (Number(query.get('page')) - 1) * Number(query.get('per_page'))
    const ranked = (body as object[]).map((row, i) => {
      return { ...row, market_cap_rank: rankOf(before + i) }
    })
    return { body: ranked }
  }

  test.for([
    { name: 'in their order', rankOf: (index: number) => index + 1 },
    { name: 'that move meanwhile', rankOf: (index: number) => index + (index === 249 ? 3 : 1) },
  ])('is believed by ranks $name', async ({ rankOf }) => {
    const bench = await fetchBench(refusing(rankOf))
    await choose(bench, 'top:500')
    expect(await stagedUniverse(bench.stage, { top: 500 }, NOW_MS)).toHaveLength(500)
  })

  test.for([
    { name: 'ids', rankOf: (index: number) => (index === 2 ? 900 : index + 1), top: 3, pages: 0 },
    {
      name: 'ids from the second page on',
      rankOf: (index: number) => (index < 300 ? index : 900),
      top: 500,
      pages: 1,
    },
    { name: 'no rank at all', rankOf: () => null, top: 3, pages: 0 },
  ])('is refused when it goes by $name', async ({ rankOf, top, pages }) => {
    const bench = await fetchBench(refusing(rankOf))
    await expect(choose(bench, `top:${top}`)).rejects.toMatchObject({
      code: 'RANKING_NOT_HEEDED',
      exitCode: 2,
    })
    expect(await stagedUniverse(bench.stage, { top }, NOW_MS)).toBeNull()
    const codes = await bench.lostCodes()
    expect(codes.filter((code) => code === 'UNIVERSE')).toHaveLength(pages)
    expect(codes).toContain('RANKING_NOT_HEEDED')
  })
})

test('a ranking that is read over midnight stays one', async () => {
  const bench = await fetchBench((query) => listed(query, 600))
  const lateMs = TODAY_MS + DAY_MS - 1_000
  const nextDayMs = TODAY_MS + DAY_MS + 1_000
  await page(bench, 'top:600', 1, lateMs)
  await page(bench, 'top:600', 2, nextDayMs)
  await page(bench, 'top:600', 3, nextDayMs)
  expect(await stagedUniverse(bench.stage, { top: 600 }, nextDayMs)).toHaveLength(600)
  // A day later it is too old to be chosen from.
  expect(await stagedUniverse(bench.stage, { top: 600 }, nextDayMs + DAY_MS)).toBeNull()
})

describe('a category', () => {
  const LAYER_1 = 'category:layer-1'
  const chosen = { category: 'layer-1' }
  const heeding = (total: number) => (query: URLSearchParams) =>
    query.get('category') === 'layer-1' ? listed(query, total) : { body: [] }

  test.for([
    { total: 3, calls: [2, 1] },
    { total: 251, calls: [2, 1, 1] },
    { total: 500, calls: [2, 1, 1] },
  ])('of $total coins is read to its end', async ({ total, calls }) => {
    const bench = await fetchBench(heeding(total))
    expect(await choose(bench, LAYER_1)).toEqual(calls)
    expect(await stagedUniverse(bench.stage, chosen, NOW_MS)).toHaveLength(total)
    expect(await bench.lostCodes()).toEqual([...calls.map(() => 'UNIVERSE'), 'UNIVERSE_PROBE'])
    // Staged already: the next run that day chooses without a call, the probe included.
    expect(await choose(bench, LAYER_1)).toEqual(calls.map(() => 0))
  })

  test('of a service that ignores the parameter is refused, not taken for all coins', async () => {
    const bench = await fetchBench((query) => listed(query, 600))
    await expect(choose(bench, LAYER_1)).rejects.toMatchObject({
      code: 'CATEGORY_NOT_HEEDED',
      exitCode: 2,
    })
    expect(await stagedUniverse(bench.stage, chosen, NOW_MS)).toBeNull()
    expect(await bench.lostCodes()).toEqual(['CATEGORY_NOT_HEEDED', 'UNIVERSE_PROBE'])
  })

  test('that never ends is refused beyond 1,000 pages', async () => {
    const bench = await fetchBench(heeding(Infinity))
    await page(bench, LAYER_1, 1_000)
    await expect(page(bench, LAYER_1, 1_001)).rejects.toMatchObject({ code: 'LISTING_ENDLESS' })
  })

  test.for([404, 400, 422])('may be refused with %i where it does not exist', async (status) => {
    const bench = await fetchBench((query) =>
      query.get('category') === 'layer-1' ? listed(query, 3) : { status, body: { error: 'no' } },
    )
    expect(await choose(bench, LAYER_1)).toEqual([2, 1])
    expect(await stagedUniverse(bench.stage, chosen, NOW_MS)).toHaveLength(3)
  })

  test('waits when the probe is throttled, and asks again from the start', async () => {
    const bench = await fetchBench()
    let isLate = true
    bench.answer((query) => {
      if (query.get('category') === 'layer-1') return listed(query, 3)
      if (!isLate) return { body: [] }
      isLate = false
      return { status: 429, body: {}, headers: { 'retry-after': '1' } }
    })
    expect(await page(bench, LAYER_1, 1)).toMatchObject({ kind: 'throttled', calls: 2 })
    expect(await stagedUniverse(bench.stage, chosen, NOW_MS)).toBeNull()
    expect(await choose(bench, LAYER_1)).toEqual([2, 1])
  })
})

test('all coins are the list of coins, in one call and without a page', async () => {
  const bench = await fetchBench((query, path) => {
    expect([path, [...query.keys()]]).toEqual(['/v2/coins/list', []])
    return { body: coins(700) }
  })
  expect(await choose(bench, 'all')).toEqual([1])
  const ids = await stagedUniverse(bench.stage, { all: true }, NOW_MS)
  expect(ids).toHaveLength(700)
  expect(ids?.at(-1)).toBe('coin-00699')
})

test('delisted coins are the list of inactive ones', async () => {
  const bench = await fetchBench((query, path) => {
    expect([path, [...query]]).toEqual(['/v2/coins/list', [['status', 'inactive']]])
    return { body: coins(3) }
  })
  expect(await choose(bench, 'inactive')).toEqual([1])
  expect(await stagedUniverse(bench.stage, { inactive: true }, NOW_MS)).toHaveLength(3)
  const none = await fetchBench(() => ({ body: [] }))
  await expect(choose(none, 'inactive')).rejects.toThrow('the source lists no delisted coin')
})

test('a page whose call could not be noted is not staged', async () => {
  const bench = await fetchBench(() => ({ body: coins(3) }))
  const notes = join(bench.dir, 'lost')
  await writeFile(notes, 'in the way of a folder')
  await expect(page(bench, 'all', 1)).rejects.toThrow('lost')
  await rm(notes)
  expect(await page(bench, 'all', 1)).toMatchObject({ itemCount: 3, calls: 1 })
  expect(await bench.lostCodes()).toEqual(['UNIVERSE'])
})

test.each([
  ['category:layer-1', 'CATEGORY_EMPTY', 2, '"layer-1"'],
  ['all', 'UNIVERSE_EMPTY', 4, 'all means nothing'],
  ['top:5', 'UNIVERSE_EMPTY', 4, 'top:5 means nothing'],
])(
  '%s of no coin is refused, and asked for again by the next run',
  async (selector, code, exitCode, says) => {
    const bench = await fetchBench(() => ({ body: [] }))
    const message = expect.stringContaining(says) as unknown
    const refused = { code, exitCode, message, hint: expect.stringMatching(/./) as unknown }
    await expect(page(bench, selector, 1)).rejects.toMatchObject(refused)
    expect(await bench.lost()).toMatchObject([{ code, calls: 1 }])
    bench.answer((query) => ({ body: query.get('category')?.includes('no-such') ? [] : coins(5) }))
    expect(await page(bench, selector, 1)).toMatchObject({ itemCount: 5 })
  },
)

describe('a listing that is read by batches', () => {
  const stopped = new AbortController().signal
  const wanted = { runId: 'run', selector: 'top:600', mayUseReserve: false, tries: 0 }

  test('comes whole in one when there is time, and goes on from the stage when there was none', async () => {
    const bench = await fetchBench((query) => listed(query, 1000))
    const runOf = runsOfProcess(bench.deps.keys)
    const over = await fetchUniverse({ ...bench.deps, batchMs: 0 }, runOf, wanted, stopped)
    expect(over).toMatchObject({ isWhole: false, calls: 0, fatal: null })
    const whole = await fetchUniverse(bench.deps, runOf, wanted, stopped)
    expect(whole).toMatchObject({ isWhole: true, calls: 3, lostKeys: [] })
    expect(await fetchUniverse(bench.deps, runOf, wanted, stopped)).toMatchObject({ calls: 0 })
  })

  test('whose second page stays bad ends the run after six tries', async () => {
    const bench = await fetchBench((query) =>
      query.get('page') === '2' ? { status: 503 } : listed(query, 1000),
    )
    const deps = { ...bench.deps, batchMs: 500 }
    const runOf = runsOfProcess(deps.keys)
    const tried = []
    let soFar = wanted
    for (let batch = 0; batch < 6; batch += 1) {
      const { tries, fatal } = await fetchUniverse(deps, runOf, soFar, stopped)
      tried.push(fatal?.code ?? tries)
      soFar = { ...wanted, tries }
    }
    expect(tried).toEqual([1, 2, 3, 4, 5, 'SOURCE_UNAVAILABLE'])
  })

  test('is left with the time when the source says wait, and ends the run when it is refused', async () => {
    const bench = await fetchBench()
    const runOf = runsOfProcess(bench.deps.keys)
    bench.answer(() => ({ status: 401 }))
    const refused = await fetchUniverse(bench.deps, runOf, wanted, stopped)
    expect(refused.fatal).toMatchObject({ code: 'SOURCE_AUTH', exitCode: 4 })
    bench.answer(() => ({ status: 429, headers: { 'retry-after': '7' } }))
    const told = await fetchUniverse(bench.deps, runOf, wanted, stopped)
    expect(told).toMatchObject({ isWhole: false, fatal: null, calls: 1 })
    expect(told.waitUntilMs).toBeGreaterThan(Date.now() + 5_000)
  })
})
