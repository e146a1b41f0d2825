import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatUtc, parseUtcMs } from '../../../config/values/utc-date.ts'

test.each([
  ['2024-01-01', '2024-01-01T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2024-01-01T12:30', '2024-01-01T12:30:00.000Z'],
  ['2024-01-01 12:30:15', '2024-01-01T12:30:15.000Z'],
  ['2024-01-01T12:30:15.5Z', '2024-01-01T12:30:15.500Z'],
  ['2024-01-01T12:30:15.250Z', '2024-01-01T12:30:15.250Z'],
  ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00.000Z'],
  ['2024-01-01T00:30:00-05:30', '2024-01-01T06:00:00.000Z'],
  ['2024-01-01T00:00:00+14:00', '2023-12-31T10:00:00.000Z'],
  ['2024-01-01T00:00:00-00:59', '2024-01-01T00:59:00.000Z'],
  ['1970-01-01', '1970-01-01T00:00:00.000Z'],
])('%s is %s', (text, iso) => {
  expect(parseUtcMs(text)).toBe(Date.parse(iso))
})

const noDates = `2024 2024-1-1 2024-02-30 2023-02-29 2024-13-01 2024-00-10 2024-01-32 2024-01-01T24:00
  2024-01-01T12:60 2024-01-01T1:00 2024-01-01T12:00:61Z yesterday 1969-12-31 2024-01-01T00:00+15:00 2024-01-01T00:00+01:60
  2024-01-01Z 2024-01-01x 24-01-01 2024/01/01`

test.each(['', ...noDates.split(/\s+/)])('%j is no date', (text) => {
  expect(parseUtcMs(text)).toBeNull()
})

test.each([
  ['2024-01-01T00:00:00.000Z', '2024-01-01'],
  ['2024-01-01T00:00:01.000Z', '2024-01-01T00:00:01Z'],
  ['2024-01-01T00:00:00.250Z', '2024-01-01T00:00:00.250Z'],
])('%s is written as %s', (iso, text) => {
  expect(formatUtc(Date.parse(iso))).toBe(text)
})

test('every whole second survives being written and read, whatever the local zone', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
      expect(parseUtcMs(formatUtc(seconds * 1000))).toBe(seconds * 1000)
    }),
  )
})
