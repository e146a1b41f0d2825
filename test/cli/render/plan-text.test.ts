import { expect, test } from 'vitest'
import { fitLines } from '../../../cli/render/plan-text.ts'

test('a run is done by the end of its last minute, not by its start', () => {
  const month = { endsAtMs: Date.UTC(2026, 11, 1), used: 0, ceiling: 10_000, reserve: 1_000 }
  const lineFor = (doneByMs: number): string | undefined =>
    fitLines(month, { leftNow: 9_000, fits: 'yes', months: 1, doneByMs }, undefined)[0]
  const line = 'until    done by 2026-11-28 03:36 UTC, the backfill fits into the month'
  expect(lineFor(Date.UTC(2026, 10, 28, 3, 35, 22))).toBe(line)
  expect(lineFor(Date.UTC(2026, 10, 28, 3, 36))).toBe(line)
})

test('a backfill that takes three months says how many come after this one', () => {
  const month = { endsAtMs: Date.UTC(2026, 11, 1), used: 54, ceiling: 60, reserve: 6 }
  const fit = { leftNow: 0, fits: 'no', months: 3, doneByMs: Date.UTC(2027, 0, 1) } as const
  expect(fitLines(month, fit, undefined)[0]).toBe(
    'until    done by 2027-01-01 00:00 UTC, the backfill DOES NOT FIT INTO THE MONTH: 0 calls now, the rest in 2 months from 2026-12-01 on',
  )
})
