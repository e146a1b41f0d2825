import { expect, test } from 'vitest'
import { progressLine, progressLines } from '../../cli/render/progress-line.ts'
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
