import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPacer, type Pacer, type Permit } from '../../api/pacer.ts'
import type { CallRate, RateState } from '../../api/rate-headers.ts'
import { FakeTime } from './fake-time.ts'

const START = Date.UTC(2025, 0, 1)

/** A pacer, and the time in which it lives. */
function paced(rate: CallRate | null, lateMs?: () => number) {
  const time = new FakeTime(START, lateMs)
  return { time, pacer: createPacer({ rate, clock: time, sleep: time.sleep }) }
}

function rateState(time: FakeTime, state: Partial<RateState>): RateState {
  const unknown = { limit: null, remaining: null, resetAtMs: null, windowMs: null }
  return { ...unknown, observedAtMs: time.nowMs(), ...state }
}

/** Asks for `count` permits at once and notes when each came; the requests answer after `latencyMs`. */
function takeMany(pacer: Pacer, time: FakeTime, count: number, latencyMs = 0): number[] {
  const grantedAt: number[] = []
  for (let i = 0; i < count; i++) {
    void pacer.acquire().then(() => {
      grantedAt.push(time.nowMs() - START)
      time.at(time.nowMs() + latencyMs, () => pacer.observe(null, 0))
      return null
    })
  }
  return grantedAt
}

describe('a known rate', () => {
  test('permits come one by one, exactly at the interval', async () => {
    const { time, pacer } = paced({ calls: 30, perMs: 10_000 })
    const grantedAt = takeMany(pacer, time, 7)
    await time.run()
    expect(grantedAt.map(Math.round)).toEqual([0, 333, 667, 1000, 1333, 1667, 2000])
  })

  test('in any window of perMs there are at most calls + 1 permits, and late timers cost no rate', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 50, max: 60_000 }),
        fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1 }),
        fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 5 }),
        async (calls, perMs, lateness, idleMs) => {
          let timers = 0
          const { time, pacer } = paced(
            { calls, perMs },
            () => lateness[timers++ % lateness.length]!,
          )
          const grantedAt: number[] = []
          for (const ms of [...idleMs, 0]) {
            time.jump(ms)
            const more = takeMany(pacer, time, 20)
            await time.run()
            grantedAt.push(...more)
          }
          expect(grantedAt).toHaveLength((idleMs.length + 1) * 20)
          for (let i = calls + 1; i < grantedAt.length; i++) {
            expect(grantedAt[i]! - grantedAt[i - calls - 1]!).toBeGreaterThanOrEqual(perMs - 1e-3)
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  test('after a standstill of 40 s no more than 5 s are caught up', async () => {
    const { time, pacer } = paced({ calls: 60, perMs: 60_000 })
    await pacer.acquire()
    time.jump(40_000)
    const grantedAt = takeMany(pacer, time, 60)
    await time.run()
    expect(grantedAt.at(-1)! - grantedAt[0]!).toBe(54_000)
    // At twice the pace.
    expect(grantedAt[1]! - grantedAt[0]!).toBe(500)
  })

  test('headers can only lower it', async () => {
    const { time, pacer } = paced({ calls: 10, perMs: 1_000 })
    await pacer.acquire()
    pacer.observe(rateState(time, { limit: 1_000, windowMs: 1_000 }), time.nowMs())
    expect(pacer.earliestPermitMs()).toBe(START + 100)
    await Promise.all([pacer.acquire(), time.run()])
    pacer.observe(rateState(time, { limit: 5, windowMs: 1_000 }), time.nowMs())
    expect(pacer.earliestPermitMs()).toBe(START + 300)
  })

  test('a clock that is set back an hour does not stall it', async () => {
    const { time, pacer } = paced({ calls: 1, perMs: 1_000 })
    await pacer.acquire()
    pacer.observe(null, 0)
    time.jump(-3_600_000)
    const grantedAt = takeMany(pacer, time, 1)
    await time.run(START - 3_600_000 + 1_000)
    expect(grantedAt).toEqual([1_000 - 3_600_000])
  })
})

describe('an unknown rate', () => {
  test('one request is in flight until the first answer, then as many as there are', async () => {
    const { time, pacer } = paced(null)
    const grantedAt = takeMany(pacer, time, 4, 250)
    await time.run()
    expect(grantedAt).toEqual([0, 250, 250, 250])
  })

  test('a request that ends without an answer teaches nothing', async () => {
    const { time, pacer } = paced(null)
    await pacer.acquire()
    const second = pacer.acquire()
    const third = pacer.acquire()
    pacer.abandon(true)
    expect(await second).toEqual({ granted: true })
    let hasThird = false
    void third.then(() => (hasThird = true))
    await time.run(START + 1_000)
    expect(hasThird).toBe(false)
    pacer.observe(null, 0)
    expect(await third).toEqual({ granted: true })
  })

  test('the first answer sets the pace', async () => {
    const { time, pacer } = paced(null)
    await pacer.acquire()
    pacer.observe(rateState(time, { limit: 30, windowMs: 60_000 }), time.nowMs())
    expect(pacer.earliestPermitMs()).toBe(START + 2_000)
  })

  test('a quota of a month is not spread over the month', async () => {
    const { time, pacer } = paced(null)
    await pacer.acquire()
    pacer.observe(rateState(time, { limit: 10_000, windowMs: 86_400_000 }), time.nowMs())
    expect(pacer.earliestPermitMs()).toBe(START)
  })
})

describe('being told to wait', () => {
  test('nothing remains: nobody leaves until the reset', async () => {
    const { time, pacer } = paced(null)
    await pacer.acquire()
    pacer.observe(rateState(time, { remaining: 0, resetAtMs: START + 7_000 }), time.nowMs())
    const grantedAt = takeMany(pacer, time, 3, 100)
    await time.run()
    expect(grantedAt).toEqual([7_000, 7_000, 7_000])
  })

  test('what is in flight counts against what remains, until its answers tell', async () => {
    const { time, pacer } = paced(null)
    const window = { limit: 3, resetAtMs: START + 60_000 }
    await pacer.acquire()
    pacer.observe(rateState(time, { ...window, remaining: 2 }), time.nowMs())
    await pacer.acquire()
    await pacer.acquire()
    const granted: number[] = []
    void pacer.acquire().then(() => granted.push(time.nowMs() - START))
    pacer.observe(rateState(time, { ...window, remaining: 0 }), time.nowMs())
    pacer.observe(rateState(time, { ...window, remaining: 1 }), time.nowMs()) // overtaken by the answer above
    await time.run()
    expect(granted).toEqual([60_000])
  })

  test('a throttle holds everybody, the longest told wins, and a slow good answer does not lift it', async () => {
    const { time, pacer } = paced({ calls: 1_000, perMs: 1_000 })
    await pacer.acquire()
    await Promise.all([pacer.acquire(), time.run()])
    pacer.throttle(START + 30_000)
    pacer.throttle(START + 20_000)
    pacer.observe(null, 0)
    pacer.observe(null, 0)
    const grantedAt = takeMany(pacer, time, 2, 500)
    await time.run()
    expect(grantedAt).toEqual([30_000, 30_500])
  })

  test.each([
    { name: 'Retry-After of a day', throttleMs: 86_400_000 },
    { name: 'a month used up', resetMs: 20 * 86_400_000 },
    { name: 'a minute on a clock that is set back', throttleMs: 60_000, backMs: 3_600_000 },
    { name: 'a window on a clock that is set back', resetMs: 60_000, backMs: 3_600_000 },
  ])('$name holds for 15 minutes at most', async ({ throttleMs, resetMs, backMs = 0 }) => {
    const { time, pacer } = paced(null)
    await pacer.acquire()
    pacer.observe(
      resetMs === undefined ? null : rateState(time, { remaining: 0, resetAtMs: START + resetMs }),
      START,
    )
    if (throttleMs !== undefined) pacer.throttle(START + throttleMs)
    time.jump(-backMs)
    const grantedAt = takeMany(pacer, time, 1)
    await time.run()
    expect(grantedAt).toEqual([15 * 60_000 - backMs])
  })

  test('whoever cannot wait that long is refused at once, also when already in line', async () => {
    const { time, pacer } = paced({ calls: 1, perMs: 1_000 })
    await pacer.acquire()
    pacer.observe(null, 0)
    const permits: Permit[] = []
    for (let i = 0; i < 2; i++) {
      void pacer.acquire({ maxBlockMs: 10_000 }).then((permit) => permits.push(permit))
    }
    await time.run(START + 500)
    pacer.throttle(START + 60_000)
    await time.run(START + 501)
    const refused = { granted: false, blockedUntilMs: START + 60_000 }
    expect(permits).toEqual([refused, refused])
  })

  test('a wait of just that long is waited for', async () => {
    const { time, pacer } = paced(null)
    expect(pacer.usage().throttledUntilMs).toBe(-Infinity)
    pacer.throttle(START + 10_000)
    const permit = pacer.acquire({ maxBlockMs: 10_000 })
    await time.run()
    expect(await permit).toEqual({ granted: true })
    expect(time.nowMs()).toBe(START + 10_000)
  })

  test('whoever is aborted while it waits lets the next one have its turn at once', async () => {
    const { time, pacer } = paced(null)
    pacer.throttle(START + 30_000)
    const abort = new AbortController()
    const first = pacer.acquire({ signal: abort.signal })
    const second: Permit[] = []
    void pacer.acquire({ maxBlockMs: 1_000 }).then((permit) => second.push(permit))
    await time.run(START + 1)
    expect(second).toEqual([])
    abort.abort(new Error('cancelled'))
    await expect(first).rejects.toThrow('cancelled')
    await time.run(START + 2)
    expect(second).toEqual([{ granted: false, blockedUntilMs: START + 30_000 }])
    await expect(pacer.acquire({ signal: abort.signal })).rejects.toThrow('cancelled')
  })

  test('whoever is aborted leaves the line at once and costs no permit', async () => {
    const { time, pacer } = paced({ calls: 1, perMs: 1_000 })
    await pacer.acquire()
    pacer.observe(null, 0)
    const first = takeMany(pacer, time, 1)
    const abort = new AbortController()
    const second = pacer.acquire({ signal: abort.signal })
    const third = takeMany(pacer, time, 1)
    abort.abort(new Error('cancelled'))
    await expect(second).rejects.toThrow('cancelled')
    await time.run()
    expect([...first, ...third]).toEqual([1_000, 2_000])
  })
})

test.each(Array.from({ length: 12 }, (_, turns) => turns))(
  'a permit that meets an abort is given back at once: an abort after %i turns',
  async (turns) => {
    const { time, pacer } = paced(null)
    const abort = new AbortController()
    const first = pacer.acquire({ signal: abort.signal }).catch(() => null)
    const inLine = takeMany(pacer, time, 1)
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    abort.abort(new Error('cancelled'))
    // The line is one long while nothing is known: who has the permit asks, and is answered.
    if ((await first) !== null) time.at(START + 100, () => pacer.observe(null, 0))
    await time.run(START + 100)
    expect(inLine).toHaveLength(1)
    const toCome = takeMany(pacer, time, 1)
    await time.run(START + 200)
    expect(toCome).toHaveLength(1)
  },
)

test('a rate that is told too high, without headers: lowered by each refusal, once', async () => {
  const { time, pacer } = paced({ calls: 45, perMs: 10_000 })
  takeMany(pacer, time, 31)
  await time.run()
  // The 31st of a window that began with the first.
  pacer.noteRefusal()
  pacer.throttle(START + 10_000)
  pacer.noteRefusal()
  expect(pacer.usage()).toMatchObject({ refused: 2, rate: { calls: 40, perMs: 10_000 } })
})

test.each([
  ['a looser limit by the minute', 1_000_000, 200],
  ['a tighter limit by the minute', 30, 12_000],
])('a share of a second, beside %s: the tighter one counts', async (_, limit, expectedMs) => {
  const { time, pacer } = paced({ calls: 10, perMs: 1_000 })
  pacer.setLease({ calls: 5, perMs: 1_000 })
  await pacer.acquire()
  pacer.observe(rateState(time, { limit, windowMs: 60_000 }), time.nowMs())
  expect(pacer.earliestPermitMs()).toBe(START + expectedMs)
})

test('a share of a budget holds until another is given', async () => {
  const { time, pacer } = paced({ calls: 10, perMs: 1_000 })
  pacer.setLease({ calls: 2, perMs: 1_000 })
  const grantedAt = takeMany(pacer, time, 5)
  await time.run()
  expect(grantedAt).toEqual([0, 500, 1_000, 1_500, 2_000])
  expect(pacer.usage()).toMatchObject({ calls: 5, waiting: 0, inWindow: 2 })
  pacer.setLease(null)
  expect(pacer.earliestPermitMs()).toBe(START + 2_100)
})

test('a process without a share asks nothing until it has one', async () => {
  const { time, pacer } = paced({ calls: 10, perMs: 1_000 })
  pacer.setLease({ calls: 0, perMs: 1_000 })
  const grantedAt = takeMany(pacer, time, 1)
  await time.run(START + 5_000)
  expect(grantedAt).toEqual([])
  pacer.setLease({ calls: 1, perMs: 1_000 })
  await time.run()
  expect(grantedAt).toEqual([5_000])
})
