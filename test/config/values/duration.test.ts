import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  approximateDuration,
  formatDuration,
  parseDurationMs,
  tookText,
} from '../../../config/values/duration.ts'

test.each([
  ['30s', 30_000],
  ['1m', 60_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  ['7d', 604_800_000],
])('%s is %i ms', (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms)
})

const noDurations = '0d 1 d 1w -1h 1.5h 01h 1H 1h30m 99999999d'

test.each(['', '1 h', '1d\n', ...noDurations.split(' ')])('%j is no duration', (text) => {
  expect(parseDurationMs(text)).toBeNull()
})

test('every duration survives being written and read', () => {
  const amount = fc.integer({ min: 1, max: 9_999_999 })
  fc.assert(
    fc.property(amount, fc.constantFrom('s', 'm', 'h', 'd'), (count, unit) => {
      const ms = parseDurationMs(`${count}${unit}`)
      expect(ms).not.toBeNull()
      const shortest = formatDuration(ms ?? 0)
      expect(parseDurationMs(shortest)).toBe(ms)
      expect(shortest.length).toBeLessThanOrEqual(`${count}${unit}`.length)
    }),
  )
})

test.each([
  [88_001, '89 s'],
  [93_000, '1.6 min'],
  [126_000, '2.1 min'],
  [240_000, '4 min'],
  [594_001, '10 min'],
  [605_000, '11 min'],
  [5_400_000, '1.5 h'],
  [172_800_000, '2 days'],
])('%i ms are %s to people, never a tenth too long', (ms, text) => {
  expect(approximateDuration(ms)).toBe(text)
})

test.each([
  [412, '0.4 s'],
  [7_340, '7.3 s'],
  [89_990, '90.0 s'],
  [129_000, '2.2 min'],
])('%i ms that something took are %s', (ms, text) => {
  expect(tookText(ms)).toBe(text)
})
