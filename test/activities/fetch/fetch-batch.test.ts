import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type {
  BatchSlice,
  FetchBatchResult,
  SliceOutcome,
} from '../../../activities/activity-types.ts'
import { fetchBatch } from '../../../activities/fetch/fetch-batch.ts'
import { runsOfProcess } from '../../../activities/fetch/key-ring.ts'
import type { PageEvent } from '../../../activities/run-events.ts'
import type { StagedPage } from '../../../stage/page-stage.ts'
import {
  CHART,
  DAY_MS,
  fetchBench,
  listed,
  listedClamped,
  MARKETS,
  planned,
  TODAY_MS,
} from './fetch-bench.ts'
import type { FetchBench, ScriptedAnswer } from './fetch-bench.ts'

/** Market listings in so many currencies, in order. */
function slices(count: number): BatchSlice[] {
  return Array.from({ length: count }, (_, ordinal) => {
    const currency = String.fromCodePoint(97 + ordinal)
    return { ...planned({ ...MARKETS, vsCurrency: currency.repeat(3) }), ordinal }
  })
}

async function run(
  bench: FetchBench,
  batch: readonly BatchSlice[],
  more: { batchMs?: number; stopped?: AbortSignal } = {},
): Promise<FetchBatchResult> {
  const { batchMs = 20_000, stopped = new AbortController().signal } = more
  const input = { runId: 'run', slices: [...batch], mayUseReserve: false }
  return fetchBatch({ ...bench.deps, batchMs }, runsOfProcess(bench.deps.keys), input, stopped)
}

function ofState<State extends SliceOutcome['state']>(
  { outcomes }: FetchBatchResult,
  state: State,
): Extract<SliceOutcome, { state: State }>[] {
  return outcomes.filter((one): one is Extract<SliceOutcome, { state: State }> => {
    return one.state === state
  })
}

/** The slices that a batch left, as the next one is given them. */
function leftOf(batch: readonly BatchSlice[], result: FetchBatchResult): BatchSlice[] {
  return ofState(result, 'left').map(({ ordinal, begun }) => ({
    ...batch.find((slice) => slice.ordinal === ordinal)!,
    begun,
  }))
}

test('each slice comes page by page, and a batch that is done again pays nothing', async () => {
  const bench = await fetchBench()
  const events: PageEvent[] = []
  bench.deps.observe = (event) => void events.push(event as PageEvent)
  bench.answer((query) => listed(query, 600))
  const batch = slices(3)
  const first = await run(bench, batch)
  expect(ofState(first, 'staged').map(({ rows }) => rows)).toEqual([600, 600, 600])
  expect(first).toMatchObject({ calls: 12, pages: 12, throttled: 0, waitUntilMs: 0, fatal: null })
  expect(events.map(({ outcome, runId }) => [outcome, runId])).toEqual(
    Array.from({ length: 12 }, () => ['page', 'run']),
  )
  const again = await run(bench, batch)
  expect(ofState(again, 'staged')).toHaveLength(3)
  expect(again).toMatchObject({ calls: 0, pages: 12, bytes: 0 })
})

test('a batch whose time is over leaves what is not staged; the next one goes on and counts on', async () => {
  const bench = await fetchBench()
  const SLOW_MS = 150
  const { client } = bench.deps
  const slowly: typeof client = {
    ...client,
    get: async (...asked) => {
      await sleep(SLOW_MS)
      return client.get(...asked)
    },
  }
  bench.deps.keys = [{ keyId: 'key', client: slowly }]
  bench.answer((query) => listed(query, 1_000))
  const batch = slices(1)
  const over = await run(bench, batch, { batchMs: 2.5 * SLOW_MS })
  const [left] = ofState(over, 'left')
  expect(left?.begun.pages).toBe(over.pages)
  expect(over.pages).toBeGreaterThan(0)
  bench.deps.keys = [{ keyId: 'key', client }]
  const rest = await run(bench, leftOf(batch, over))
  expect(ofState(rest, 'staged')).toMatchObject([{ rows: 1_000 }])
  expect(over.calls + rest.calls).toBe(5)
  expect(over.pages + rest.pages).toBe(5)
})

test('pages that only waited for a permit until the batch was over are no outcome', async () => {
  const bench = await fetchBench((query) => listed(query, 100), { calls: 2, perMs: 60_000 })
  const outcomes: string[] = []
  bench.deps.observe = (event) => void outcomes.push((event as PageEvent).outcome)
  const result = await run(bench, slices(4), { batchMs: 500 })
  expect(ofState(result, 'left')).not.toEqual([])
  expect(outcomes).toEqual(Array.from({ length: result.calls }, () => 'page'))
})

test('a stopped batch sends nothing more, and what has left is brought home', async () => {
  const bench = await fetchBench()
  const stop = new AbortController()
  bench.answer((query) => {
    stop.abort()
    return listed(query, 100)
  })
  const result = await run(bench, slices(12), { stopped: stop.signal })
  const asked = bench.asked().length
  expect(asked).toBeLessThanOrEqual(bench.deps.pagesInFlight)
  expect(result).toMatchObject({ calls: asked, pages: asked, fatal: null })
  expect(ofState(result, 'left')).toHaveLength(12)
  await sleep(100)
  expect(bench.asked().length).toBe(asked)
})

test('a wait ends the batch at once, with the time and without a failure', async () => {
  const bench = await fetchBench()
  bench.deps.pagesInFlight = 1
  bench.answer((query) =>
    query.get('vs_currency') === 'bbb'
      ? { status: 429, headers: { 'retry-after': '30' } }
      : listed(query, 100),
  )
  const startedMs = Date.now()
  const result = await run(bench, slices(5))
  expect(Date.now() - startedMs).toBeLessThan(5_000)
  expect(ofState(result, 'left').map(({ ordinal }) => ordinal)).toEqual([1, 2, 3, 4])
  expect(result).toMatchObject({ throttled: 1, calls: 3, fatal: null })
  expect(result.waitUntilMs).toBeGreaterThan(Date.now() + 20_000)
})

test('a fault that may pass is tried again within the batch, which counts each call', async () => {
  const bench = await fetchBench()
  let faults = 1
  bench.answer((query) => (faults-- > 0 ? { status: 503 } : listedClamped(query, 250)))
  const result = await run(bench, slices(1))
  expect(ofState(result, 'staged')).toMatchObject([{ rows: 250 }])
  // The fault, its ping, two pages, and the probe whether the repeated page is the end.
  expect(result.calls).toBe(bench.asked().length)
  expect(result.calls).toBeGreaterThan(result.pages + 1)
})

test.for([1, 2])(
  'a fault of page %i that outlasts the batch comes back with its tries and a time, and fails after six',
  async (bad) => {
    const bench = await fetchBench((query) =>
      Number(query.get('page')) === bad ? { status: 503 } : listed(query, 600),
    )
    let batch = slices(1)
    for (let tries = 1; tries < 6; tries++) {
      const result = await run(bench, batch, { batchMs: 500 })
      const [left] = ofState(result, 'left')
      expect(left?.begun.tries).toBe(tries)
      const pauseMs = Math.min(30_000, 1_000 * 2 ** (tries - 1))
      expect(left!.notBeforeMs - Date.now()).toBeGreaterThan(pauseMs - 500)
      batch = leftOf(batch, result)
    }
    const [failed] = ofState(await run(bench, batch, { batchMs: 500 }), 'failed')
    expect(failed).toMatchObject({ ordinal: 0, code: 'SOURCE_UNAVAILABLE' })
  },
)

test.for<[string, number]>([
  ['60', 60],
  ['86400', 120],
])('a page in trouble is left alone for Retry-After: %s, the others come in', async ([told, s]) => {
  const bench = await fetchBench()
  bench.deps.pagesInFlight = 1
  bench.answer((query) =>
    query.get('vs_currency') === 'bbb'
      ? { status: 503, headers: { 'retry-after': told } }
      : listed(query, 100),
  )
  const result = await run(bench, slices(4))
  expect(ofState(result, 'staged').map(({ ordinal }) => ordinal)).toEqual([0, 2, 3])
  const [left] = ofState(result, 'left')
  expect(Math.ceil((left!.notBeforeMs - Date.now()) / 1_000 / 10) * 10).toBe(s)
  expect(left!.begun.tries).toBe(1)
})

test('a told wait neither counts as a try nor begins the count anew', async () => {
  const bench = await fetchBench()
  let calls = 0
  bench.answer(() =>
    calls++ % 2 === 0 ? { status: 503 } : { status: 429, headers: { 'retry-after': '1' } },
  )
  let batch = slices(1)
  const tries = []
  // The first batch meets the fault and, after its pause, the wait.
  for (const batchMs of [20_000, 1_500, 500]) {
    batch = leftOf(batch, await run(bench, batch, { batchMs }))
    tries.push(batch[0]?.begun?.tries)
  }
  expect({ tries, calls }).toEqual({ tries: [1, 2, 2], calls: 4 })
})

/** The source answers the first request of each listing by what the page must ask again for. */
const PAID_LEGS = {
  'a redirect': (path: string, query: string) => {
    return { status: 302, headers: { location: `${path}?${query}&again=1` } }
  },
  'a lost connection': () => ({ isReset: true }),
}

describe.each(Object.entries(PAID_LEGS))('%s at a rate of fewer calls than slices', (_, leg) => {
  const RATE = { calls: 4, perMs: 1_000 }
  /** The first legs of one or two pages leave in it. */
  const batchMs = 300

  async function legsBench(onLeg?: () => void): Promise<FetchBench> {
    const bench = await fetchBench(undefined, RATE)
    const asked = new Set<string | null>()
    bench.answer((query, path) => {
      const currency = query.get('vs_currency')
      if (asked.has(currency)) return { body: [] }
      asked.add(currency)
      onLeg?.()
      return leg(path, query.toString())
    })
    return bench
  }

  test('a paid leg is followed by the next one after the end of the batch', async () => {
    const bench = await legsBench()
    for (let batch = slices(3); batch.length > 0;) {
      const result = await run(bench, batch, { batchMs })
      expect(result.calls).toBe(2 * ofState(result, 'staged').length)
      batch = leftOf(batch, result)
    }
    expect(bench.asked()).toHaveLength(6)
  })

  test('a stopped run sends no next leg', async () => {
    const stop = new AbortController()
    const bench = await legsBench(() => stop.abort())
    const result = await run(bench, slices(3), { batchMs, stopped: stop.signal })
    expect({ calls: result.calls, left: ofState(result, 'left').length }).toEqual({
      calls: 1,
      left: 3,
    })
  })
})

test('one bad slice fails with its reason and stops no sibling; a refused key ends the batch', async () => {
  const bench = await fetchBench()
  bench.deps.pagesInFlight = 1
  bench.answer((query) => {
    const currency = query.get('vs_currency')
    if (currency === 'bbb') return { status: 404, body: { error: 'unknown currency' } }
    return currency === 'ddd' ? { status: 401 } : listed(query, 100)
  })
  const result = await run(bench, slices(5))
  expect(result.outcomes.map(({ state }) => state)).toEqual([
    'staged',
    'failed',
    'staged',
    'left',
    'left',
  ])
  expect(ofState(result, 'failed')).toMatchObject([{ ordinal: 1, code: 'SOURCE_NOT_FOUND' }])
  expect(result.fatal).toMatchObject({ code: 'SOURCE_AUTH', exitCode: 4 })
})

test.for<{ name: string; list: ScriptedAnswer; good?: number; refused: number; lists: number }>([
  { name: 'lacks it', list: { body: ['usd', 'eur'] }, refused: 1, lists: 1 },
  { name: 'has it: a passing refusal', list: { body: ['usd', 'XYZ'] }, refused: 20, lists: 1 },
  { name: 'is empty', list: { body: [] }, refused: 20, lists: 1 },
  { name: 'is not there', list: { status: 404, body: {} }, refused: 20, lists: 1 },
  { name: 'says wait', list: { status: 429 }, refused: 1, lists: 1 },
  { name: 'lacks it, but an answer came', list: { body: ['usd'] }, good: 0, refused: 19, lists: 0 },
])(
  'a currency refused with 400, and the list of currencies $name',
  async ({ list, good, refused, lists }) => {
    const bench = await fetchBench()
    bench.deps.pagesInFlight = 1
    const isList = (url: string): boolean => url.includes('supported_vs_currencies')
    const prices = Array.from({ length: 49 }, (_, hour) => [CHART.fromMs + hour * 3_600_000, 1])
    const chart = { body: { prices, market_caps: [], total_volumes: [] } }
    bench.answer((query, path) => {
      if (isList(path)) return list
      const isGood = query.get('vs_currency') === 'usd' || path.includes(`/coin-${good}/`)
      return isGood ? chart : { status: 400, body: { error: 'invalid vs_currency' } }
    })
    const batch = Array.from({ length: 40 }, (_, ordinal) => {
      const entity = `coin-${ordinal % 20}`
      const vsCurrency = ordinal < 20 ? 'xyz' : 'usd'
      return { ...planned({ ...CHART, entity, vsCurrency }), ordinal }
    })
    const result = await run(bench, batch)
    const asked = bench.asked().filter((url) => url.includes('vs_currency=xyz'))
    const calls = bench.asked().length
    expect(asked.length - (good === undefined ? 0 : 1)).toBe(refused)
    expect([bench.asked().filter(isList).length, result.calls]).toEqual([lists, calls])
    const failed = ofState(result, 'failed')
    const unasked = failed.filter(({ reason }) => reason.startsWith('no call was made'))
    expect(unasked.length).toBe(list.status === 429 ? 0 : 20 - asked.length)
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(['SOURCE_BAD_REQUEST']))
  },
)

const FIVE_MINUTES = {
  ...CHART,
  granularity: '5m',
  fromMs: TODAY_MS,
  toMs: TODAY_MS + DAY_MS / 2,
} as const

test.each([
  ['again once, in other requests', CHART, 2],
  ['no more where only one request has it', FIVE_MINUTES, 1],
] as const)('a wrong granularity is asked for %s', async (_, slice, calls) => {
  const bench = await fetchBench()
  const prices = Array.from({ length: 5 }, (_, day) => [CHART.fromMs + day * DAY_MS, 1])
  bench.answer(() => ({ body: { prices, market_caps: [], total_volumes: [] } }))
  const result = await run(bench, [planned(slice)])
  const reason = `asked for ${slice.granularity} points, was given 1d`
  const failed = { ordinal: 0, state: 'failed', code: 'WRONG_GRANULARITY', reason }
  expect(result).toMatchObject({ outcomes: [failed], calls })
})

test('a gap between points is kept with its page', async () => {
  const bench = await fetchBench()
  const hours = Array.from({ length: 48 }, (_, hour) => hour).filter(
    (hour) => hour < 10 || hour > 36,
  )
  const prices = hours.map((hour) => [CHART.fromMs + hour * 3_600_000, 1])
  bench.answer(() => ({ body: { prices, market_caps: [], total_volumes: [] } }))
  const slice = planned(CHART)
  expect(await run(bench, [slice])).toMatchObject({ outcomes: [{ state: 'staged' }], calls: 1 })
  expect(await bench.stage.findSlice(slice.sliceId, 0)).toMatchObject([
    { gaps: [{ fromMs: CHART.fromMs + 10 * 3_600_000, toMs: CHART.fromMs + 37 * 3_600_000 }] },
  ])
})

/** A stage whose next `pages` answers count as 11 minutes older than they are. */
function agedStage(bench: FetchBench, pages: number): void {
  const { stage } = bench
  let left = pages
  const aged = (page: StagedPage): StagedPage =>
    left-- > 0 ? { ...page, requestedAtMs: page.requestedAtMs - 11 * 60_000 } : page
  bench.deps.stage = { ...stage, write: async (page) => aged(await stage.write(page)) }
}

test.for([
  { interrupted: 2, state: 'staged', starts: 3 },
  { interrupted: Infinity, state: 'failed', starts: 3 },
])('a listing interrupted $interrupted times is $state', async ({ interrupted, state, starts }) => {
  const bench = await fetchBench()
  agedStage(bench, interrupted)
  bench.answer((query) => listed(query, 600))
  const [outcome] = (await run(bench, slices(1))).outcomes
  expect(outcome).toMatchObject(
    state === 'staged' ? { state, rows: 600 } : { state, code: 'LISTING_INTERRUPTED' },
  )
  const first = bench.asked().filter((url) => new URLSearchParams(url).get('page') === '1')
  expect(first).toHaveLength(starts)
})
