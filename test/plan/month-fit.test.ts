import { expect, test } from 'vitest'
import { monthFit } from '../../plan/month-fit.ts'

const NOW = Date.UTC(2026, 10, 21)
const DECEMBER = Date.UTC(2026, 11, 1)
const MINUTE_MS = 60_000
const month = { endsAtMs: DECEMBER, used: 4_000, ceiling: 10_000, reserve: 1_000 }
const exactly = (calls: number) => ({ min: calls, max: calls })

test('what fits into the rest of the month is done by the rate', () => {
  expect(monthFit(exactly(5_000), month, 0.5, NOW)).toEqual({
    leftNow: 5_000,
    fits: 'yes',
    months: 1,
    doneByMs: NOW + 2_500 * MINUTE_MS,
  })
  expect(monthFit(exactly(5_000), month, null, NOW).doneByMs).toBeNull()
})

test('what does not fit goes on in the next months, each without its reserve', () => {
  expect(monthFit(exactly(5_001), month, 1, NOW)).toEqual({
    leftNow: 5_000,
    fits: 'no',
    months: 2,
    doneByMs: DECEMBER + MINUTE_MS,
  })
  // 5,000 now, 9,000 in December, 1 in January.
  expect(monthFit(exactly(14_001), month, 1, NOW)).toMatchObject({
    months: 3,
    doneByMs: Date.UTC(2027, 0, 1) + MINUTE_MS,
  })
  expect(monthFit(exactly(14_001), month, null, NOW).doneByMs).toBe(Date.UTC(2027, 0, 1))
})

test('a slow rate outlasts the months; bounds may fit or not', () => {
  const slow = monthFit(exactly(6_000), month, 24 * 60, NOW)
  expect(slow.doneByMs).toBe(NOW + 6_000 * 24 * 60 * MINUTE_MS)
  expect(monthFit({ min: 10, max: 5_001 }, month, 1, NOW).fits).toBe('maybe')
})

test('a month that is used up leaves nothing now', () => {
  const spent = { ...month, used: 9_500 }
  expect(monthFit(exactly(1), spent, 1, NOW)).toMatchObject({ leftNow: 0, fits: 'no', months: 2 })
  expect(monthFit(exactly(0), spent, 1, NOW)).toMatchObject({ leftNow: 0, fits: 'yes', months: 1 })
})
