import { expect, test } from 'vitest'
import { createCallLog } from '../../api/call-log.ts'

test('an answer from before the clock was set back is no answer of the future', () => {
  const log = createCallLog()
  log.take(0)
  log.settle(100_000)
  log.take(10_000)
  expect(log.countSince(10_000)).toBe(1)
  log.settle(11_000)
  expect(log.settledBetween(0, 11_000)).toBe(2)
})
