import { expect, test } from 'vitest'
import { createCallLog } from '../../api/call-log.ts'
import { createToldWindow, NO_WAIT } from '../../api/told-window.ts'

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

interface Said {
  limit?: number | null
  remaining?: number | null
  resetAtMs?: number | null
  windowMs?: number | null
}

/** The calls that a window of a minute lets through at `nowMs`, after answers at 0 and with calls in flight. */
function gateAfter(said: readonly Said[], inFlight = 0, nowMs = 0) {
  const log = createCallLog()
  const told = createToldWindow(log)
  for (let call = 0; call < inFlight; call++) log.take(0)
  for (const one of said) {
    const none = { limit: null, remaining: null, resetAtMs: PER_MS, windowMs: PER_MS }
    told.answered({ ...none, observedAtMs: 0, ...one }, 0)
  }
  return told.gate(nowMs)
}

const blocked = (untilMs: number) => ({ ...NO_WAIT, blockedUntilMs: untilMs })
const awaits = (untilMs: number) => ({ ...NO_WAIT, awaitsAnswerUntilMs: untilMs })

test.each<[string, Said[], number, ReturnType<typeof gateAfter>]>([
  ['a limit alone, one in flight', [{ limit: 2 }], 1, NO_WAIT],
  ['a limit alone, all in flight', [{ limit: 2 }], 2, awaits(Infinity)],
  ['a limit of none, which says nothing', [{ limit: 0 }], 2, NO_WAIT],
  ['nothing', [{}], 2, NO_WAIT],
  ['calls that remain, fewer in flight', [{ remaining: 2 }], 1, NO_WAIT],
  ['calls that remain, all in flight', [{ remaining: 1 }], 1, awaits(PER_MS)],
  ['nothing remains', [{ remaining: 0 }], 0, blocked(PER_MS)],
  [
    'nothing remains, until when is not told',
    [{ remaining: 0, resetAtMs: null }],
    0,
    blocked(60_000),
  ],
  [
    'a later answer of the same window gives nothing back, and its reset counts',
    [{ remaining: 0 }, { remaining: 5, resetAtMs: PER_MS + 1_500 }],
    0,
    blocked(PER_MS + 1_500),
  ],
  [
    'an earlier answer of the same window',
    [{ remaining: 3 }, { remaining: 0, resetAtMs: PER_MS - 1_500 }],
    0,
    blocked(PER_MS),
  ],
  [
    'an answer of the window before',
    [{ remaining: 3 }, { remaining: 0, resetAtMs: 58_499 }],
    0,
    NO_WAIT,
  ],
  ['the next window', [{ remaining: 0 }, { remaining: 5, resetAtMs: 2 * PER_MS }], 0, NO_WAIT],
  [
    'the next window of one second, which jitters by half of it',
    [
      { remaining: 0, resetAtMs: 1_000, windowMs: 1_000 },
      { remaining: 5, resetAtMs: 1_501, windowMs: 1_000 },
    ],
    0,
    NO_WAIT,
  ],
  [
    'the same window of one second',
    [
      { remaining: 0, resetAtMs: 1_000, windowMs: 1_000 },
      { remaining: 5, resetAtMs: 1_500, windowMs: 1_000 },
    ],
    0,
    blocked(1_500),
  ],
  [
    // The reset crept by less than half a window.
    'a window that slides, with a call in flight',
    [{ remaining: 9 }, { remaining: 1, resetAtMs: PER_MS + 2_000 }],
    1,
    awaits(PER_MS + 2_000),
  ],
])('%s', (_, said, inFlight, gate) => {
  expect(gateAfter(said, inFlight)).toEqual(gate)
})

test('a window ends at its reset', () => {
  expect(gateAfter([{ remaining: 0 }], 0, PER_MS - 1)).toEqual(blocked(PER_MS))
  expect(gateAfter([{ remaining: 0 }], 0, PER_MS)).toEqual(NO_WAIT)
})
