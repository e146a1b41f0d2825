import { expect, test } from 'vitest'
import { clockFromEnv } from '../../config/clock.ts'

test('COINLAKE_NOW freezes the clock', () => {
  expect(clockFromEnv({ COINLAKE_NOW: '2026-01-01T00:00:00Z' }).nowMs()).toBe(1767225600000)
})

test('without COINLAKE_NOW the clock is the system clock', () => {
  const before = Date.now()
  expect(clockFromEnv({}).nowMs()).toBeGreaterThanOrEqual(before)
})

test.each(['tomorrow', '2024-02-30', 'Jan 1 2024', '2024'])(
  'a COINLAKE_NOW of %j is a config error that names the value',
  (now) => {
    expect(() => clockFromEnv({ COINLAKE_NOW: now })).toThrow(
      `COINLAKE_NOW is not a time: "${now}"`,
    )
  },
)
