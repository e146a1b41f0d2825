import { expect, test } from 'vitest'
import { progressLine, progressLines } from '../../../cli/render/progress-line.ts'
import { callsPerMs, rateText, remainingMs } from '../../../cli/render/run-pace.ts'
import type { RunProgress } from '../../../workflows/messages.ts'

const PROGRESS: RunProgress = {
  runId: 'r1',
  orderId: 'o',
  phase: 'fetching',
  paused: false,
  cancelled: false,
  slicesPlanned: 120,
  slicesLoaded: 60,
  slicesFailed: 1,
  rows: 12_345,
  calls: 1,
  pages: 61,
  bytes: 1_234_567,
  pagesPlanned: 120,
  pace: { sinceMs: 0, sincePages: 0, sinceCalls: 0, atMs: 60_000, pages: 61, calls: 61 },
  throttled: 0,
  startedAtMs: 0,
  throttledUntilMs: 0,
}
const NOW_MS = 61_000

const ALLOWED = { calls: 100, perMs: 60_000 }

test('one line, in ASCII, with one call as one call', () => {
  expect(progressLine(PROGRESS, NOW_MS, ALLOWED)).toBe(
    'fetching | 61 of 120 pages fetched (50 %) | 1 slice failed | 12,345 rows loaded | 1.2 MB | 1 call | 60 of 100 calls a minute | about 58 s left',
  )
  expect(progressLine({ ...PROGRESS, paused: true, slicesFailed: 0, bytes: 0 }, NOW_MS)).toBe(
    'paused | 61 of 120 pages fetched (50 %) | 12,345 rows loaded | 1 call',
  )
  const exact = { ...PROGRESS, slicesPlanned: 50, pagesPlanned: 50, pages: 29 }
  expect(progressLine(exact, NOW_MS)).toContain('29 of 50 pages fetched (58 %)')
  expect(progressLine({ ...PROGRESS, phase: 'publishing', bytes: 0 }, NOW_MS)).toMatch(
    /^publishing \| 61 pages fetched \| 1 slice failed/,
  )
})

test.each([
  [29.37 / 60_000, { calls: 30, perMs: 60_000 }, '29.4 of 30 calls a minute'],
  [4.9 / 1_000, { calls: 5, perMs: 1_000 }, '4.9 of 5 calls a second'],
  [28 / 10_000, { calls: 30, perMs: 10_000 }, '28 of 30 calls in 10 s'],
  [482.3 / 60_000, null, '482 calls a minute'],
  [1_342 / 60_000, { calls: 1e6, perMs: 60_000 }, '1,342 of 1,000,000 calls a minute'],
])('%f calls a millisecond of %j', (used, allowed, text) => {
  expect(rateText(used, allowed)).toBe(text)
})

test.each([20, 40, 80, 200])(
  'no line is wider than %i columns where its words are not',
  (columns) => {
    const lines = progressLines(PROGRESS, NOW_MS, columns)
    for (const line of lines) expect(line.length <= columns || !line.includes(' | ')).toBe(true)
    expect(lines.join(' | ')).toBe(progressLine(PROGRESS, NOW_MS))
  },
)

test('a plan of more pages than slices is an upper bound, and its time left, too', () => {
  const bounded = { ...PROGRESS, slicesPlanned: 119, slicesFailed: 0, bytes: 0 }
  expect(progressLine(bounded, NOW_MS)).toBe(
    'fetching | 61 of up to 120 pages fetched | 12,345 rows loaded | 1 call | 60 calls a minute | at most about 58 s left',
  )
})

test('a burst at the start is no pace that the keys allow', () => {
  const pace = { ...PROGRESS.pace, atMs: 12_000, pages: 31, calls: 31 }
  const burst = { ...PROGRESS, pace }
  const allowed = { calls: 30, perMs: 60_000 }
  expect(progressLine(burst, 12_000)).toMatch(/ 150 calls a minute \| about 36 s left$/)
  expect(progressLine(burst, 12_000, allowed)).toMatch(
    / 30 of 30 calls a minute \| about 3 min left$/,
  )
  // Pages of the stage need no call.
  const staged = { ...burst, pace: { ...pace, calls: 0 } }
  expect(remainingMs(staged, 12_000, allowed)).toBe(35_600)
})

test('what the source says to wait is waited for as well; a pause has no end', () => {
  expect(remainingMs(PROGRESS, NOW_MS)).toBe(58_000)
  expect(remainingMs({ ...PROGRESS, throttledUntilMs: NOW_MS + 5_000 }, NOW_MS)).toBe(63_000)
  expect(remainingMs(PROGRESS, NOW_MS + 9_000)).toBe(49_000)
  expect(remainingMs({ ...PROGRESS, paused: true }, NOW_MS)).toBeNull()
  expect(remainingMs({ ...PROGRESS, phase: 'publishing' }, NOW_MS)).toBeNull()
  expect(callsPerMs({ ...PROGRESS, phase: 'publishing' })).toBeNull()
  const begun = { ...PROGRESS.pace, pages: 1, calls: 1 }
  expect(remainingMs({ ...PROGRESS, pace: begun }, NOW_MS)).toBeNull()
})
