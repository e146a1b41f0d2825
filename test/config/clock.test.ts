import { expect, test } from 'vitest'
import { clockFromEnv } from '../../config/clock.ts'

test('COINLAKE_NOW freezes the clock', () => {
  expect(clockFromEnv({ COINLAKE_NOW: '2026-01-01T00:00:00Z' }).nowMs()).toBe(1767225600000)
})

test('without COINLAKE_NOW the clock is the system clock', () => {
  const before = Date.now()
  expect(clockFromEnv({}).nowMs()).toBeGreaterThanOrEqual(before)
})

test('a COINLAKE_NOW that is no time is a config error that names the value', () => {
  expect(() => clockFromEnv({ COINLAKE_NOW: 'tomorrow' })).toThrow(/COINLAKE_NOW.*"tomorrow"/)
})
