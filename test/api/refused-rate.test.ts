import { describe, expect, test } from 'vitest'
import { type CallLog, createCallLog } from '../../api/call-log.ts'
import { createRateAfterRefusals } from '../../api/refused-rate.ts'

const THOUGHT = { calls: 45, perMs: 10_000 }

/** A log of calls that came evenly and were answered at once. */
function evenCalls(count: number, everyMs: number): CallLog {
  const log = createCallLog()
  for (let ms = 0; ms < count * everyMs; ms += everyMs) {
    log.take(ms)
    log.settle(ms)
  }
  return log
}

test.each([
  { name: 'of a rate that was thought, a tenth less', thought: THOUGHT, count: 0, is: 40 },
  { name: 'where nothing is thought, of the last minute', thought: null, count: 100, is: 90 },
])('a refusal lowers the rate: $name', ({ thought, count, is }) => {
  const rate = createRateAfterRefusals(evenCalls(count, 222))
  rate.refused(thought, count * 222)
  expect(rate.rate()).toEqual({ calls: is, perMs: thought?.perMs ?? 60_000 })
})

test('where nothing is thought, the first call that is refused is no count', () => {
  const rate = createRateAfterRefusals(evenCalls(1, 1))
  rate.refused(null, 0)
  expect(rate.rate()).toBeNull()
})

test('a little more is tried after each window that was used, never more than was thought', () => {
  const log = createCallLog()
  const rate = createRateAfterRefusals(log)
  rate.refused(THOUGHT, 0)
  const changes: [number, number | undefined][] = []
  for (let ms = 0; ms < 2_000_000; ms += 10_000 / (rate.rate()?.calls ?? 45)) {
    log.take(ms)
    log.settle(ms)
    const before = rate.rate()?.calls
    rate.ended(Infinity, ms)
    const now = rate.rate()?.calls
    if (now !== before) changes.push([Math.floor(ms / 10_000), now])
  }
  expect(changes.slice(0, 3)).toEqual([
    [1, 42],
    [2, 44],
    [3, 45],
  ])
  expect(changes.at(-1)?.[1]).toBe(45)
})

test('of a key that is shared each tries more who has used his share', () => {
  const rate = createRateAfterRefusals(evenCalls(10, 1_000))
  rate.refused(THOUGHT, 0)
  rate.ended(Infinity, 10_000)
  expect(rate.rate()?.calls).toBe(40)
  rate.ended(10, 20_000)
  expect(rate.rate()?.calls).toBe(40)
  rate.refused(THOUGHT, 0)
  rate.ended(10, 10_000)
  expect(rate.rate()?.calls).toBe(42)
})

test('who has not used what he has is given no more', () => {
  const log = createCallLog()
  const rate = createRateAfterRefusals(log)
  rate.refused(THOUGHT, 0)
  log.take(500_000)
  log.settle(500_000)
  rate.ended(Infinity, 500_000)
  expect(rate.rate()?.calls).toBe(40)
})

describe('refusals for reasons of its own', () => {
  const TOLD = { calls: 180, perMs: 60_000 }

  /** Calls at the rate that is kept to, of which one in fifty is refused with a wait of 5 s. */
  function callsIn(hours: number, told: typeof TOLD | null): number {
    const log = createCallLog()
    const rate = createRateAfterRefusals(log)
    let good = 0
    // Without any rate one call is in flight at a time, and takes so long.
    const everyMs = (): number => {
      const kept = rate.rate() ?? told
      return kept === null ? 100 : kept.perMs / kept.calls
    }
    let drawn = 7
    for (let ms = 0; ms < hours * 3_600_000; ms += everyMs()) {
      log.take(ms)
      log.settle(ms)
      drawn = (drawn * 1_103_515_245 + 12_345) % 2 ** 31
      if (drawn / 2 ** 31 < 1 / 50) {
        rate.refused(rate.rate() ?? told, ms)
        ms += 5_000
      } else {
        good += 1
        rate.ended(Infinity, ms)
      }
    }
    return good / hours
  }

  test.each([{ told: TOLD }, { told: null }])(
    'do not slow us down for good: half of what $told tells is used',
    ({ told }) => {
      expect(callsIn(2, told)).toBeGreaterThan(90 * 60)
    },
  )
})
