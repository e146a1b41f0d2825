import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_RESET_MEMORY, readRateHeaders } from '../../api/rate-headers.ts'
import { createToldQuota, toldHeaders } from '../parts/told-quota.ts'
import { FakeTime } from './fake-time.ts'

/** Whole seconds in Date and in Reset, each rounded its own way. */
const ROUNDING_MS = 2_000
const LONGEST_WAY_MS = 900

const answers = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 20_000 }),
    wayThereMs: fc.integer({ min: 0, max: LONGEST_WAY_MS }),
    wayBackMs: fc.integer({ min: 0, max: LONGEST_WAY_MS }),
  }),
  { minLength: 1, maxLength: 40 },
)

test('never told to wait less than until the reset, nor more than whole seconds and the way add', () => {
  fc.assert(
    fc.property(
      fc.record({
        kind: fc.constantFrom('fixed' as const, 'sliding' as const),
        unit: fc.constantFrom('seconds_left' as const, 'epoch_s' as const, 'epoch_ms' as const),
        perMs: fc.constantFrom(1_000, 5_000, 10_000, 60_000, 3_600_000),
        calls: fc.integer({ min: 1, max: 50 }),
        startMs: fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) }),
        /** The source's clock minus ours. */
        skewMs: fc.integer({ min: -7_200_000, max: 7_200_000 }),
        hasDate: fc.boolean(),
        answers,
      }),
      ({ kind, unit, perMs, calls, startMs, hasDate, answers: all, ...clocks }) => {
        // Without a Date nothing tells that the clocks differ.
        const skewMs = hasDate ? clocks.skewMs : 0
        const source = new FakeTime(startMs)
        const take = createToldQuota({ calls, perMs, kind }, source)
        const memory = { ...EMPTY_RESET_MEMORY }
        for (const { afterMs, wayThereMs, wayBackMs } of all) {
          source.jump(afterMs)
          const askedAtMs = source.nowMs() - skewMs
          source.jump(wayThereMs)
          const state = take()
          const servedMs = source.nowMs()
          const headers = toldHeaders(state, unit, servedMs)
          const dateMs = hasDate ? Math.floor(servedMs / 1_000) * 1_000 : null
          source.jump(wayBackMs)
          const nowMs = source.nowMs() - skewMs
          const told = readRateHeaders(headers, { askedAtMs, nowMs, dateMs, memory })
          const trueResetMs = servedMs + state.resetInMs - skewMs
          const earliestMs = Math.max(trueResetMs, nowMs)
          expect(told!.resetAtMs!).toBeGreaterThanOrEqual(earliestMs)
          expect(told!.resetAtMs!).toBeLessThanOrEqual(earliestMs + ROUNDING_MS + LONGEST_WAY_MS)
          expect([told!.limit, told!.remaining]).toEqual([calls, state.remaining])
        }
      },
    ),
    { numRuns: 500 },
  )
})
