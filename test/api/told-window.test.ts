import { expect, test } from 'vitest'
import { createCallLog } from '../../api/call-log.ts'
import { createToldWindow } from '../../api/told-window.ts'

const PER_MS = 60_000

/** Own calls at 0 and 3 s; an answer of the second window tells that nothing remains until then. */
function usedUp(resetAtMs: number) {
  const log = createCallLog()
  const told = createToldWindow(log)
  for (const [nowMs, remaining, toldResetMs] of [
    [0, 9, PER_MS],
    [3_000, 8, PER_MS],
    [61_000, 0, resetAtMs],
  ] as const) {
    log.take(nowMs)
    log.settle(nowMs)
    const news = { limit: 10, remaining, resetAtMs: toldResetMs, windowMs: PER_MS }
    told.answered({ ...news, observedAtMs: nowMs }, nowMs)
  }
  return told
}

test.each([
  // Its reset creeps from call to call: room comes with each call of our own that leaves it.
  { kind: 'sliding', resetAtMs: 65_000, freeAtMs: 63_001 },
  { kind: 'fixed', resetAtMs: 120_000, freeAtMs: 120_000 },
])('a $kind window that is used up', ({ resetAtMs, freeAtMs }) => {
  const told = usedUp(resetAtMs)
  expect(told.gate(freeAtMs - 2).blockedUntilMs).toBeGreaterThan(freeAtMs - 2)
  expect(told.gate(freeAtMs).blockedUntilMs).toBeLessThanOrEqual(freeAtMs)
})
