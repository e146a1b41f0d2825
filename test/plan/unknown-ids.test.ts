import { DAY_MS, MINUTE_MS } from '../../config/values/duration.ts'
import { expect, test } from 'vitest'
import { nextTryMs, unknownIdLookup } from '../../plan/unknown-ids.ts'

const NOON = 100 * DAY_MS + DAY_MS / 2

test.each([
  ['never known: the next UTC day', null, DAY_MS / 2],
  ['gone since just now: five minutes', 0, 5 * MINUTE_MS],
  ['gone for an hour: an hour', 60 * MINUTE_MS, 60 * MINUTE_MS],
  ['gone for a week: a day', 7 * DAY_MS, DAY_MS],
])('an id is tried again, %s', (_, goneForMs, inMs) => {
  const one = {
    dataset: 'ohlc',
    entity: 'nosuch',
    askedAtMs: NOON,
    goneSinceMs: goneForMs === null ? null : NOON - goneForMs,
  }
  expect(nextTryMs(one)).toBe(NOON + inMs)
  const at = (nowMs: number) => unknownIdLookup([one], nowMs)
  expect(at(NOON).has('ohlc', 'nosuch')).toBe(true)
  expect(at(NOON).has('ohlc', 'bitcoin')).toBe(false)
  expect(at(NOON + inMs - 1).isDue('ohlc', 'nosuch')).toBe(false)
  expect(at(NOON + inMs).isDue('ohlc', 'nosuch')).toBe(true)
  expect(at(NOON + inMs).isDue('ohlc', 'bitcoin')).toBe(false)
})
