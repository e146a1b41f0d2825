import { expect, test } from 'vitest'
import type { OtherRuns, PageDeps, StoreDeps } from '../../../activities/activity-deps.ts'
import type { FetchPageInput } from '../../../activities/activity-types.ts'
import type { FatalCause, RunReport } from '../../../activities/run-report.ts'
import { endRun } from '../../../activities/end/end-run.ts'
import { failSlices } from '../../../activities/fail-slices.ts'
import { fetchPage } from '../../../activities/fetch/fetch-page.ts'
import { loadSlices } from '../../../activities/load-slices.ts'
import { nextSlices } from '../../../activities/plan/next-slices.ts'
import { writeOrder } from '../../../activities/plan/order-file.ts'
import { planRun } from '../../../activities/plan/plan-run.ts'
import { CoinlakeError } from '../../../config/coinlake-error.ts'
import type { PlannedSlice } from '../../../plan/planned-slice.ts'
import type { AnswerSource } from '../../../service/answer-source.ts'
import { MARKET_PRESETS } from '../../../service/market/market-spec.ts'
import { holdMarket } from '../../parts/held-market.ts'
import { type MovableClock, movableClock } from '../../parts/proof-warehouse.ts'
import { serveInTest } from '../../parts/serve-source.ts'
import { wantedOf } from '../../plan/test-dataset.ts'
import { loadBench } from '../load-bench.ts'
import { freePageCalls } from './fetch-bench.ts'
import { listen } from '../../parts/listen.ts'
import { openClient } from '../../parts/client-settings.ts'

const HOUR_MS = 3_600_000
/** Ten windows of one UTC day. */
const FIRST_MS = Date.UTC(2024, 3, 10, 8, 35)
const WINDOWS = 10
const SPEC = {
  ...MARKET_PRESETS.tiny,
  seed: 5,
  hourlyDays: 5,
  nowMs: FIRST_MS + WINDOWS * HOUR_MS,
}

interface Windows {
  /** Runs one, or a backfill by hand, to its end. */
  run(how: 'window' | 'by hand'): Promise<RunReport>
  store: StoreDeps['store']
}

/** The activities of runs of an hourly schedule over a real service, store and stage, without the workflows. */
async function openWindows(
  coins: readonly string[],
  url: string,
  clock: MovableClock,
  hours = 24,
): Promise<Windows> {
  const { ordersDir, deps: loading } = await loadBench(clock)
  const client = openClient(url)
  const otherRuns: OtherRuns = {
    stillOpen: async (open) => open.map(({ runId }) => runId),
    newestWindowMs: async () => null,
    workflowsId: '',
  }
  const deps: StoreDeps & Omit<PageDeps, 'runId'> = { ...loading, client, otherRuns }
  const fromMs = FIRST_MS - hours * HOUR_MS
  const wanted = [wantedOf({ dataset: 'market_chart', entities: coins, fromMs })]
  let runs = 0
  return {
    store: deps.store,
    async run(how) {
      const startedAtMs = Date.now()
      const runId = `run-${String(runs++).padStart(2, '0')}`
      const orderId = await writeOrder(ordersDir, { wanted })
      const window = how === 'window' ? { schedule: 'hourly', windowMs: clock.nowMs() } : {}
      const { plan } = await planRun(deps, { runId, orderId, ...window })
      const { slices } = await nextSlices(deps, { runId, after: -1, limit: 100 })
      // A slice of a chart is one page. Skipped slices are not promised.
      expect(plan).toEqual({ slices: slices.length, pages: slices.length })
      const again = await planRun(deps, { runId, orderId, ...window })
      expect(again).toEqual({ universes: [], plan, first: { slices, isEnd: true } })
      const ordinals: number[] = []
      let fatal: FatalCause | null = null
      for (const slice of slices) {
        const failure = await fetchAll({ ...deps, runId }, slice)
        if (failure === null) ordinals.push(slice.ordinal)
        else if (failure.exitCode === 3) {
          const { code, reason } = failure
          const failures = [{ ordinal: slice.ordinal, code, reason }]
          await failSlices(deps, { runId, failures })
        } else fatal ??= failure
        if (fatal !== null) break
      }
      if (ordinals.length > 0) await loadSlices(deps, { runId, ordinals })
      const ended = { runId, orderId, startedAtMs, fatal, lostKeys: [] }
      const end = { cancelled: false, mayPublish: true }
      return await endRun(deps, { ...ended, ...end })
    },
  }
}

async function fetchAll(deps: PageDeps, slice: PlannedSlice): Promise<FatalCause | null> {
  const times = { observedAtMs: null, previousAskedAtMs: null, freshAfterMs: null }
  let input: FetchPageInput = { slice, step: 0, page: 1, attempt: 1, ...times }
  try {
    for (;;) {
      const result = await fetchPage(deps, input, freePageCalls())
      if (result.kind !== 'page') throw new Error(`the service said ${result.kind}`)
      if (result.next === null) return null
      input = { ...input, ...result.next }
    }
  } catch (error) {
    if (!(error instanceof CoinlakeError)) throw error
    const { code, message, hint, exitCode } = error
    return { code, reason: message, hint, exitCode }
  }
}

/** A source that says something else than its market does of what is asked for a coin. */
function otherwise(
  say: (coin: string) => 'not_found' | 'nonsense' | null,
): (source: AnswerSource) => AnswerSource {
  return (source) => ({
    ...source,
    answer: async (operation, params) => {
      const said = say(params['id'] ?? '')
      if (said === 'not_found') return { kind: 'not_found' }
      const answered = await source.answer(operation, params)
      return said === 'nonsense' && answered.kind === 'json' ? { ...answered, body: [] } : answered
    },
  })
}

const KNOWN = ['bitcoin', 'ethereum']

test.for<{
  name: string
  coins: readonly string[]
  /** The source's word in a window, from 0. */
  say?: (coin: string, window: number) => 'not_found' | 'nonsense' | null
  /** The coin whose calls are counted. */
  of: string
  calls: number
  verdicts: string
  unknown: readonly string[]
  /** A backfill by hand after the last window. */
  byHand: { verdict: string; calls: number }
  /** Calls of two windows of the next day. */
  nextDay: number
}>([
  {
    name: 'btc, Bitcoin and bitcion, which the source does not know',
    coins: [...KNOWN, 'btc', 'Bitcoin', 'bitcion'],
    of: 'bitcion',
    calls: 1,
    verdicts: 'partial, 9 complete',
    unknown: ['Bitcoin', 'bitcion', 'btc'],
    byHand: { verdict: 'complete', calls: 0 },
    nextDay: 1,
  },
  {
    name: 'a coin that is delisted before the fourth window',
    coins: KNOWN,
    say: (coin, window) => (coin === 'ethereum' && window >= 3 ? 'not_found' : null),
    of: 'ethereum',
    // Asked for again after one hour, one, two and four.
    calls: 3 + 4,
    verdicts: '3 complete, partial, 6 complete',
    unknown: ['ethereum'],
    byHand: { verdict: 'complete', calls: 0 },
    nextDay: 1,
  },
  {
    name: 'a coin that the source loses for an hour',
    coins: KNOWN,
    say: (coin, window) => (coin === 'ethereum' && window === 3 ? 'not_found' : null),
    of: 'ethereum',
    calls: 10,
    verdicts: '3 complete, partial, 6 complete',
    unknown: [],
    byHand: { verdict: 'complete', calls: 0 },
    nextDay: 1,
  },
  {
    name: 'a service that knows nothing from the fourth window on',
    coins: KNOWN,
    say: (_, window) => (window >= 3 ? 'not_found' : null),
    of: 'bitcoin',
    calls: 10,
    verdicts: '3 complete, 7 failed',
    unknown: [],
    byHand: { verdict: 'failed', calls: 1 },
    nextDay: 2,
  },
  {
    name: 'a coin whose answers are broken for good',
    coins: KNOWN,
    say: (coin) => (coin === 'ethereum' ? 'nonsense' : null),
    of: 'ethereum',
    calls: 3,
    verdicts: '10 partial',
    unknown: [],
    byHand: { verdict: 'failed', calls: 1 },
    nextDay: 1,
  },
])('ten windows: $name', async ({ coins, say, of, calls, verdicts, unknown, byHand, nextDay }) => {
  const clock = movableClock(FIRST_MS)
  let window = 0
  const market = await holdMarket(SPEC, clock)
  const other = otherwise((coin) => say?.(coin, window) ?? null)
  const served = await serveInTest(other(market.source))
  const windows = await openWindows(coins, served.url, clock)
  const callsFor = (): number => served.log.filter(({ path }) => path.includes(`/${of}/`)).length
  const told: string[] = []
  for (; window < WINDOWS; window++) {
    clock.set(FIRST_MS + window * HOUR_MS)
    told.push((await windows.run('window')).verdict)
  }
  expect(inWords(told)).toBe(verdicts)
  expect(callsFor()).toBe(calls)
  const entities = (await windows.store.unknownEntities(null)).map(({ entity }) => entity)
  expect(entities).toEqual(unknown)
  const hand = await windows.run('by hand')
  expect({ verdict: hand.verdict, calls: callsFor() - calls }).toEqual(byHand)
  clock.set(FIRST_MS + 24 * HOUR_MS)
  await windows.run('window')
  await windows.run('window')
  expect(callsFor() - calls - byHand.calls).toBe(nextDay)
})

test('an id that comes to be known: its run names the history that is left, the next one has it', async () => {
  const clock = movableClock(FIRST_MS)
  const market = await holdMarket(SPEC, clock)
  let isKnown = false
  const say = (coin: string) => (coin === 'ethereum' && !isKnown ? 'not_found' : null)
  const served = await serveInTest(otherwise(say)(market.source))
  // Three slices of a series.
  const windows = await openWindows(KNOWN, served.url, clock, 200 * 24)
  const look = async () => {
    const before = served.log.filter(({ path }) => path.includes('/ethereum/')).length
    const { verdict, failures, unreachable } = await windows.run('window')
    const after = served.log.filter(({ path }) => path.includes('/ethereum/')).length
    return [verdict, after - before, failures.map(({ code }) => code), unreachable.days > 199]
  }
  const asked = 3
  expect(await look()).toEqual(['partial', asked, Array(asked).fill('SOURCE_NOT_FOUND'), true])
  expect(await look()).toEqual(['complete', 0, [], true])
  isKnown = true
  clock.set(FIRST_MS + 24 * HOUR_MS)
  expect(await look()).toEqual(['partial', 1, ['LEFT_TO_NEXT_RUN', 'LEFT_TO_NEXT_RUN'], false])
  expect(await look()).toEqual(['complete', 2, [], false])
  expect(await look()).toEqual(['complete', 0, [], false])
})

test('ten windows at a wrong host: its ping ends each, and no id is unknown', async () => {
  const clock = movableClock(FIRST_MS)
  const asked: string[] = []
  const url = await listen((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not Found"}')
  })
  const windows = await openWindows(KNOWN, url, clock)
  const told: string[] = []
  for (let window = 0; window < WINDOWS; window++) {
    clock.set(FIRST_MS + window * HOUR_MS)
    const { verdict, fatal } = await windows.run('window')
    told.push(`${verdict} ${fatal?.code}`)
  }
  expect(inWords(told)).toBe('10 failed SOURCE_NOT_A_SERVICE')
  // A failed ping holds for a minute.
  expect(asked.length).toBe(WINDOWS + 1)
  expect(await windows.store.unknownEntities(null)).toEqual([])
})

/** Equal verdicts in a row as one: "partial, 9 complete". */
function inWords(verdicts: readonly string[]): string {
  const parts: { verdict: string; times: number }[] = []
  for (const verdict of verdicts) {
    const last = parts.at(-1)
    if (last?.verdict === verdict) last.times += 1
    else parts.push({ verdict, times: 1 })
  }
  return parts
    .map(({ verdict, times }) => (times === 1 ? verdict : `${times} ${verdict}`))
    .join(', ')
}
