import { expect, test } from 'vitest'
import { callsPerMs, remainingMs } from '../../cli/render/run-pace.ts'
import { noTotals, type RunProgress } from '../../workflows/messages.ts'
import { beginPace, notePace, type RunPace } from '../../workflows/run-pace.ts'

const PER_MS = 30 / 60_000
const PAGES = 600

function progressOf(pace: RunPace): RunProgress {
  return {
    ...noTotals,
    runId: 'run',
    orderId: 'order',
    phase: 'fetching',
    paused: false,
    cancelled: false,
    slicesPlanned: PAGES,
    pagesPlanned: PAGES,
    pace,
    throttledUntilMs: 0,
    startedAtMs: 0,
  }
}

/** Batches that end every `everyMs` under 30 calls a minute, from one page on that came at once. */
function paced(from: RunPace, untilMs: number, everyMs: number): RunPace {
  let pace = from
  for (let atMs = from.sinceMs + everyMs; atMs <= untilMs; atMs += everyMs) {
    const done = from.sincePages + 1 + Math.floor((atMs - from.sinceMs) * PER_MS)
    pace = notePace(pace, { atMs, pages: done, calls: done })
  }
  return pace
}

test.for([5_000, 12_000, 30_000])('the rate is that of the key with news each %d ms', (everyMs) => {
  const pace = paced(beginPace({ atMs: 0, pages: 0, calls: 0 }), 120_000, everyMs)
  expect(callsPerMs(progressOf(pace))).toBeCloseTo(PER_MS, 5)
  const left = remainingMs(progressOf(pace), 120_000)!
  expect(left / ((PAGES - pace.pages) / PER_MS)).toBeCloseTo(1, 2)
})

test('time that passes without news shortens what is left, for a minute', () => {
  const pace = paced(beginPace({ atMs: 0, pages: 0, calls: 0 }), 60_000, 5_000)
  const at = (nowMs: number): number => remainingMs(progressOf(pace), nowMs)!
  expect(at(60_000) - at(80_000)).toBeCloseTo(20_000, -2)
  expect(at(120_000)).toBe(at(500_000))
})

test('after a standstill the pace is measured anew', () => {
  const before = paced(beginPace({ atMs: 0, pages: 0, calls: 0 }), 60_000, 5_000)
  const back = notePace(before, { atMs: 600_000, pages: 40, calls: 40 })
  expect(back).toMatchObject({ sinceMs: 600_000, sincePages: 40 })
  expect(callsPerMs(progressOf(back))).toBeNull()
  expect(callsPerMs(progressOf(paced(back, 660_000, 5_000)))).toBeCloseTo(PER_MS, 5)
})

test.for([
  {
    what: 'no news is no end of a standstill',
    count: { atMs: 90_000, pages: 4, calls: 5 },
    sinceMs: 0,
  },
  { what: 'a call is news, too', count: { atMs: 300_000, pages: 4, calls: 6 }, sinceMs: 300_000 },
  { what: 'a page is news, too', count: { atMs: 300_000, pages: 5, calls: 5 }, sinceMs: 300_000 },
  // Three pages of 10 s each: 8 of them are 80 s.
  {
    what: 'eight times a page is no standstill',
    count: { atMs: 110_000, pages: 5, calls: 6 },
    sinceMs: 0,
  },
  { what: 'more is one', count: { atMs: 110_001, pages: 5, calls: 6 }, sinceMs: 110_001 },
])('$what', ({ count, sinceMs }) => {
  const begun = beginPace({ atMs: 0, pages: 1, calls: 2 })
  const pace = notePace(notePace(begun, { atMs: 30_000, pages: 4, calls: 5 }), count)
  expect(pace.sinceMs).toBe(sinceMs)
  const isNews = count.pages !== 4 || count.calls !== 5
  expect(pace.atMs).toBe(isNews ? count.atMs : 30_000)
})

test('before the first page a minute is the limit', () => {
  const begun = beginPace({ atMs: 0, pages: 0, calls: 0 })
  for (const [atMs, sinceMs] of [
    [60_000, 0],
    [60_001, 60_001],
  ] as const) {
    expect(notePace(begun, { atMs, pages: 0, calls: 1 }).sinceMs).toBe(sinceMs)
  }
})
