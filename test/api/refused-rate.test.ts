import { describe, expect, test } from 'vitest'
import { createCallLog } from '../../api/call-log.ts'
import type { CallLog } from '../../api/call-log.ts'
import { createRefusedRate } from '../../api/refused-rate.ts'

const THOUGHT = { calls: 45, perMs: 10_000 }

/** A log of calls that came evenly and were answered at once; the last one is that which was refused. */
function evenCalls(fromMs: number, toMs: number, everyMs: number): CallLog {
  const log = createCallLog()
  for (let ms = fromMs; ms <= toMs; ms += everyMs) {
    log.take(ms)
    log.settle(ms)
  }
  return log
}

describe('the first refusal', () => {
  // Windows of 10 s begin at 0: 30 calls go by 6,600 ms, then the wait is 3,334 ms, told as 4 s.
  test.each([
    { limit: 30, everyMs: 222, is: 30 },
    { limit: 40, everyMs: 222, is: 40 },
    { limit: 25, everyMs: 222, is: 25 },
    { limit: 31, everyMs: 222, is: 30 },
  ])('counts the good calls of the window: $limit', ({ limit, everyMs, is }) => {
    const refusedMs = 10_000 + limit * everyMs
    const log = evenCalls(10_000 - 45 * everyMs, refusedMs, everyMs)
    const rate = createRefusedRate(log)
    const waitMs = Math.ceil((20_000 - refusedMs) / 1_000) * 1_000
    rate.refused(THOUGHT, false, refusedMs + waitMs, refusedMs)
    expect(rate.rate()).toEqual({ calls: is, perMs: 10_000 })
  })

  test('of a window that others share leaves two thirds at most', () => {
    const rate = createRefusedRate(evenCalls(0, 20_000, 222))
    rate.refused(THOUGHT, true, 24_000, 20_000)
    expect(rate.rate()).toEqual({ calls: 29, perMs: 10_000 })
  })

  test.each([
    { name: 'the wait is longer than a window', waitMs: 60_000 },
    { name: 'hardly any call of the window was ours', waitMs: 9_000 },
  ])('$name: no limit is seen in it, until it comes a third time', ({ waitMs }) => {
    const log = createCallLog()
    const rate = createRefusedRate(log)
    let ms = 0
    for (let refusals = 1; refusals <= 3; refusals += 1) {
      for (let calls = 0; calls <= 12; calls += 1) {
        ms += 222
        log.take(ms)
        log.settle(ms)
      }
      rate.refused(THOUGHT, false, ms + waitMs, ms)
      expect(rate.rate()).toEqual(refusals < 3 ? null : { calls: 12, perMs: 10_000 })
      ms += waitMs
    }
  })
})

test('more is tried after 30 windows that were used, later after another refusal, never more than was thought', () => {
  const log = createCallLog()
  const rate = createRefusedRate(log)
  rate.refused(THOUGHT, true, 4_000, 0)
  const changes: [number, number | undefined][] = []
  const useUntil = (fromMs: number, toMs: number): void => {
    for (let ms = fromMs; ms < toMs; ms += 10_000 / (rate.rate()?.calls ?? 45)) {
      log.take(ms)
      log.settle(ms)
      const before = rate.rate()?.calls
      rate.ended(ms)
      const now = rate.rate()?.calls
      if (now !== before) changes.push([Math.floor(ms / 10_000), now])
    }
  }
  useUntil(10_000, 310_000)
  rate.refused(rate.rate(), true, 314_000, 310_000)
  useUntil(320_000, 10_000_000)
  expect(changes.slice(0, 3)).toEqual([
    [30, 30],
    [91, 30],
    [151, 31],
  ])
  expect(changes.at(-1)?.[1]).toBeLessThanOrEqual(45)
})

test('who has not used what he has is given no more', () => {
  const log = createCallLog()
  const rate = createRefusedRate(log)
  rate.refused(THOUGHT, true, 4_000, 0)
  log.take(500_000)
  log.settle(500_000)
  rate.ended(500_000)
  expect(rate.rate()?.calls).toBe(29)
})

describe('refusals for reasons of its own', () => {
  const TOLD = { calls: 180, perMs: 60_000 }

  /** Calls at the rate that is kept to, of which one in fifty is refused with a wait of 5 s. */
  function callsIn(hours: number, told: typeof TOLD | null): number {
    const log = createCallLog()
    const rate = createRefusedRate(log)
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
        rate.refused(rate.rate() ?? told, false, ms + 5_000, ms)
        ms += 5_000
      } else {
        good += 1
        rate.ended(ms)
      }
    }
    return good / hours
  }

  test('do not slow us down for good: most of what is told is used', () => {
    expect(callsIn(2, TOLD)).toBeGreaterThan(180 * 60 * 0.6)
  })

  test('where nothing is told, the first call that is refused is no count', () => {
    const log = createCallLog()
    const rate = createRefusedRate(log)
    log.take(0)
    log.settle(0)
    rate.refused(null, false, 1_000, 0)
    expect(rate.rate()).toBeNull()
    expect(callsIn(2, null)).toBeGreaterThan(100 * 60)
  })
})
