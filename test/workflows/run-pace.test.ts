import { expect, test } from 'vitest'
import { callsPerMs, remainingMs } from '../../cli/render/run-pace.ts'
import { noTotals } from '../../workflows/messages.ts'
import type { RunProgress } from '../../workflows/messages.ts'
import { beginPace, notePace } from '../../workflows/run-pace.ts'
import type { RunPace } from '../../workflows/run-pace.ts'

const PER_MS = 30 / 60_000
const PAGES = 600

function progressOf(pace: RunPace, more: Partial<RunProgress> = {}): RunProgress {
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
    ...more,
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

test('a slow source that brings a page each minute does not stand still', () => {
  let pace = beginPace({ atMs: 0, pages: 0, calls: 0 })
  for (let page = 1; page <= 5; page++) {
    pace = notePace(pace, { atMs: page * 55_000, pages: page, calls: page })
  }
  expect(pace.sinceMs).toBe(0)
})

test('a wait that the source asked for comes on top; a pause and other phases tell nothing', () => {
  const pace = paced(beginPace({ atMs: 0, pages: 0, calls: 0 }), 60_000, 5_000)
  const plain = remainingMs(progressOf(pace), 60_000)!
  expect(remainingMs(progressOf(pace, { throttledUntilMs: 160_000 }), 60_000)).toBe(plain + 100_000)
  expect(remainingMs(progressOf(pace, { paused: true }), 60_000)).toBeNull()
  expect(callsPerMs(progressOf(pace, { phase: 'publishing' }))).toBeNull()
})
