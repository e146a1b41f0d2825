import { expect, test } from 'vitest'
import { createPacer } from '../../api/pacer.ts'
import type { CallRate } from '../../api/pacer.ts'
import { callsPerMs, remainingMs } from '../../cli/render/run-pace.ts'
import type { RunProgress } from '../../workflows/messages.ts'
import { noTotals } from '../../workflows/messages.ts'
import { createPaceTracker, isWorthReport } from '../../workflows/run-pace.ts'
import { FakeTime } from '../api/fake-time.ts'

const LANES = 4
const IN_FLIGHT = 2
/** As lanes load: in batches, or after a time. */
const LOAD_PAGES = 25
const LOAD_AFTER_MS = 15_000
const LOOK_EVERY_MS = 500
const MINUTE_MS = 60_000

interface Run {
  pages: number
  rate: CallRate
  latencyMs: number
  /** In this stretch no worker is there, or the run is paused. */
  still?: { fromMs: number; toMs: number; isPause: boolean }
}

interface Look {
  atMs: number
  etaMs: number | null
  callsPerMs: number | null
  /** Part of the pages that are there. */
  done: number
}

/** A run in simulated time: lanes with several pages in flight behind the real pacer, and who looks at it. */
async function simulate({ pages, rate, latencyMs, still }: Run) {
  const time = new FakeTime(0)
  const pacer = createPacer({ rate, clock: time, sleep: time.sleep })
  const tracker = createPaceTracker()
  const looks: Look[] = []
  let done = 0
  let endedMs = 0
  const isStill = (): boolean =>
    still !== undefined && time.nowMs() >= still.fromMs && time.nowMs() < still.toMs
  const never = new AbortController().signal
  async function lane(name: number): Promise<void> {
    let left = Math.floor(pages / LANES) + (name < pages % LANES ? 1 : 0)
    const told = { pages: 0, atMs: 0 }
    let own = 0
    let loadedPages = 0
    let loadedMs = 0
    const tell = (isDone = false): void => {
      const atMs = time.nowMs()
      Object.assign(told, { pages: own, atMs })
      tracker.note({ lane: name, atMs, pages: own, calls: own, isDone })
    }
    const slot = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        if (isStill()) await time.sleep((still?.toMs ?? 0) - time.nowMs(), never)
        await pacer.acquire()
        await time.sleep(latencyMs, never)
        pacer.observe(null)
        own += 1
        done += 1
        const isLoadDue =
          own - loadedPages >= LOAD_PAGES || time.nowMs() - loadedMs >= LOAD_AFTER_MS
        if (isLoadDue) [loadedPages, loadedMs] = [own, time.nowMs()]
        if (isLoadDue || isWorthReport(own, told, { beganMs: 0, nowMs: time.nowMs() })) tell()
      }
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, slot))
    tell(true)
  }
  tracker.begin(0, LANES)
  if (still?.isPause === true) time.at(still.toMs, () => tracker.begin(time.nowMs()))
  const look = (): void => {
    const progress: RunProgress = {
      ...noTotals,
      runId: 'r',
      orderId: 'o',
      phase: 'fetching',
      paused: still?.isPause === true && isStill(),
      cancelled: false,
      slicesPlanned: pages,
      pagesPlanned: pages,
      pace: tracker.pace(),
      throttledUntilMs: 0,
      startedAtMs: 0,
    }
    const atMs = time.nowMs()
    const used = callsPerMs(progress)
    const etaMs = remainingMs(progress, atMs)
    looks.push({ atMs, etaMs, callsPerMs: used, done: done / pages })
    if (done < pages) time.at(atMs + LOOK_EVERY_MS, look)
  }
  time.at(LOOK_EVERY_MS, look)
  const all = async (): Promise<void> => {
    await Promise.all(Array.from({ length: LANES }, (_, name) => lane(name)))
    endedMs = time.nowMs()
  }
  const lanes = all()
  await time.run()
  await lanes
  return { looks, endedMs }
}

/** By how much the time left was wrong at its worst, as a part of it, but for a page of each lane that may not be told yet. */
function worstError(looks: readonly Look[], endedMs: number, slackMs: number): number {
  return looks.reduce((worst, { atMs, etaMs }) => {
    const trueMs = endedMs - atMs
    if (trueMs <= slackMs) return worst
    const wrongMs = Math.max(0, Math.abs((etaMs ?? 0) - trueMs) - slackMs)
    return Math.max(worst, wrongMs / trueMs)
  }, 0)
}

const PER_MINUTE = (calls: number): CallRate => ({ calls, perMs: MINUTE_MS })

test.each<[string, Run]>([
  ['a free key, 100 pages', { pages: 100, rate: PER_MINUTE(30), latencyMs: 300 }],
  ['a free key, 3,000 pages', { pages: 3_000, rate: PER_MINUTE(30), latencyMs: 900 }],
  ['a large key, 6,000 pages', { pages: 6_000, rate: PER_MINUTE(500), latencyMs: 200 }],
  ['a slow key, 60 pages', { pages: 60, rate: PER_MINUTE(2), latencyMs: 200 }],
  ['five a second, 300 pages', { pages: 300, rate: { calls: 5, perMs: 1_000 }, latencyMs: 80 }],
  ['only latency', { pages: 1_200, rate: { calls: 1_000, perMs: 1_000 }, latencyMs: 400 }],
])('%s: from the first tenth on the time left is right within 10 %%', async (_, run) => {
  const { looks, endedMs } = await simulate(run)
  const late = looks.filter(({ done }) => done >= 0.1 && done < 1)
  expect(late.length).toBeGreaterThan(10)
  const perPageMs = endedMs / run.pages
  expect(worstError(late, endedMs, Math.max(LANES * perPageMs, 3_000))).toBeLessThan(0.1)
  // What is used of the rate is told as well.
  const used = looks.findLast((one) => one.done >= 0.5 && one.callsPerMs !== null)?.callsPerMs ?? 0
  expect(used * endedMs).toBeGreaterThan(0.9 * run.pages)
  expect(used * endedMs).toBeLessThan(1.1 * run.pages)
})

test.each([
  ['a pause of an hour', true],
  ['an hour without a worker', false],
])('after %s the pace is that of now', async (_, isPause) => {
  const still = { fromMs: 10 * MINUTE_MS, toMs: 70 * MINUTE_MS, isPause }
  const { looks, endedMs } = await simulate({
    pages: 900,
    rate: PER_MINUTE(30),
    latencyMs: 300,
    still,
  })
  const after = looks.filter(({ atMs, done }) => atMs > still.toMs + 3 * MINUTE_MS && done < 1)
  expect(after.length).toBeGreaterThan(10)
  expect(worstError(after, endedMs, LANES * 2_000)).toBeLessThan(0.1)
  if (isPause) {
    const paused = looks.filter(({ atMs }) => atMs > still.fromMs && atMs < still.toMs)
    expect(new Set(paused.map(({ etaMs }) => etaMs))).toEqual(new Set([null]))
  }
})

test('lanes stay within the signals that a run may be sent', () => {
  let reports = 0
  let told = { pages: 0, atMs: 0 }
  // 250,000 pages of one lane, at 8 a second.
  for (let pages = 1; pages <= 250_000; pages += 1) {
    const nowMs = pages * 125
    if (!isWorthReport(pages, told, { beganMs: 0, nowMs })) continue
    reports += 1
    told = { pages, atMs: nowMs }
  }
  expect(reports).toBeGreaterThan(100)
  expect(reports).toBeLessThan(600)
})
