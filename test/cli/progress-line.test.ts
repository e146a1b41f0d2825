import { expect, test } from 'vitest'
import {
  createPaceStart,
  progressLine,
  progressLines,
  remainingMs,
} from '../../cli/render/progress-line.ts'
import type { RunProgress } from '../../workflows/messages.ts'

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
  throttled: 0,
  startedAtMs: 0,
  throttledUntilMs: 0,
}
const NOW_MS = 61_000

test('one line, in ASCII, with one call as one call', () => {
  expect(progressLine(PROGRESS, NOW_MS)).toBe(
    'fetching | 60 of 120 slices loaded (50 %) | 1 failed | 12,345 rows | 1 call | about 59 s left',
  )
  expect(progressLine({ ...PROGRESS, paused: true, slicesFailed: 0 }, NOW_MS)).toBe(
    'paused | 60 of 120 slices loaded (50 %) | 12,345 rows | 1 call',
  )
})

test.each([20, 40, 80, 200])(
  'no line is wider than %i columns where its words are not',
  (columns) => {
    const lines = progressLines(PROGRESS, NOW_MS, columns)
    for (const line of lines) expect(line.length <= columns || !line.includes(' | ')).toBe(true)
    expect(lines.join(' | ')).toBe(progressLine(PROGRESS, NOW_MS))
  },
)

test('a run that goes on after hours is as fast as it is now', () => {
  const since = createPaceStart()
  const look = (slicesLoaded: number, nowMs: number, facts: Partial<RunProgress> = {}) => {
    const progress = { ...PROGRESS, slicesFailed: 0, slicesLoaded, ...facts }
    return remainingMs(progress, nowMs, since(progress, nowMs))
  }
  const hours = 3_600_000
  expect(look(60, 5 * hours)).toBeNull()
  expect(look(80, 5 * hours + 10_000)).toBe(20_000)
  expect(look(80, 6 * hours, { paused: true })).toBeNull()
  expect(look(80, 7 * hours)).toBeNull()
  expect(look(100, 7 * hours + 1_000)).toBe(1_000)
  expect(remainingMs({ ...PROGRESS, slicesFailed: 0 }, 60_000)).toBe(60_000)
})
