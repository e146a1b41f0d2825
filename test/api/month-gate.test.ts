import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../config/values/duration.ts'
import { gatedPacer } from '../../api/gated-pacer.ts'
import { createMonthGate } from '../../api/month-gate.ts'
import { MonthSpentError } from '../../api/month-spent-error.ts'
import { createPacer } from '../../api/pacer.ts'
import { frozenClock } from '../../config/clock.ts'

const NOW = Date.UTC(2031, 10, 21, 15)

function gateOf(ceiling: number | null = 100, reserve = 10, clock = frozenClock(NOW)) {
  return createMonthGate({ ceiling, reserveOf: () => reserve, keyId: 'key-1', clock })
}

const lease = (backfill: number, others: number, isLast = false) => ({
  upTo: { backfill, others },
  isLast: { backfill: isLast, others: isLast },
})

/** Whether it has been let out by now. */
async function isOut(entering: Promise<void>): Promise<boolean> {
  return Promise.race([entering.then(() => true), sleep(20, false)])
}

test('nothing leaves before the first word, and no more than the word says', async () => {
  const gate = gateOf()
  const first = gate.enter(false)
  const second = gate.enter(false)
  expect(await isOut(first)).toBe(false)
  expect(gate.waiting()).toBe(2)
  gate.setLease(lease(1, 2))
  expect([await isOut(first), await isOut(second)]).toEqual([true, false])
  expect(await isOut(gate.enter(true))).toBe(true)
  gate.setLease(lease(3, 3))
  expect(await isOut(second)).toBe(true)
  expect(gate.waiting()).toBe(0)
})

test('a call that was not made can be made by another', async () => {
  const gate = gateOf()
  gate.setLease(lease(1, 1, true))
  await gate.enter(false)
  gate.giveBack()
  await gate.enter(false)
  await expect(gate.enter(false)).rejects.toThrow(MonthSpentError)
})

test('the end of the month is an error that says what is left, until when, and what to do', async () => {
  const gate = gateOf()
  gate.setLease({ upTo: { backfill: 0, others: 1 }, isLast: { backfill: true, others: false } })
  await expect(gate.enter(false)).rejects.toMatchObject({
    code: 'MONTH_SPENT',
    exitCode: 3,
    untilMs: Date.UTC(2031, 11, 1),
    message:
      'the month of key key-1 has no call left for a backfill: 100 calls (source.monthly_calls), of which 10 are kept for schedules and refetches (source.monthly_reserve)',
    hint: expect.stringContaining('again from 2031-12-01 (UTC)') as string,
  })
  await gate.enter(true)
  gate.setLease(lease(0, 1, true))
  await expect(gate.enter(true)).rejects.toMatchObject({
    message: 'the month of key key-1 is used up: 100 calls (source.monthly_calls)',
  })
})

test('who waits for the word is let go by it, by the end, or by an abort', async () => {
  const gate = gateOf()
  const abort = new AbortController()
  const aborted = gate.enter(false, abort.signal)
  const refused = gate.enter(false)
  abort.abort(new Error('stop'))
  await expect(aborted).rejects.toThrow('stop')
  expect(gate.waiting()).toBe(1)
  gate.setLease(lease(0, 0, true))
  await expect(refused).rejects.toThrow(MonthSpentError)
})

test('a month that the service tells counts, with or without a ceiling of ours', async () => {
  const gate = gateOf(null)
  gate.setLease(null)
  const told = { limit: 1_000, resetAtMs: NOW + 9 * DAY_MS, observedAtMs: NOW, windowMs: null }
  gate.observe({ ...told, remaining: 12 })
  // An answer that was overtaken gives nothing back.
  gate.observe({ ...told, remaining: 40 })
  await gate.enter(false)
  await gate.enter(false)
  gate.giveBack()
  await gate.enter(false)
  await expect(gate.enter(false)).rejects.toMatchObject({
    untilMs: NOW + 9 * DAY_MS,
    message: expect.stringContaining('1000 calls (as the service tells), of which 10') as string,
  })
  await gate.enter(true)
  gate.observe({ ...told, remaining: 0 })
  await expect(gate.enter(true)).rejects.toThrow('is used up')
  gate.observe({ ...told, resetAtMs: NOW + 40 * DAY_MS, remaining: 1_000 })
  await gate.enter(false)
})

const MONTH = { limit: 5, remaining: 0, resetAtMs: NOW + 26 * HOUR_MS, observedAtMs: NOW }

test.each([
  ['no rate', null],
  ['an hour', { resetAtMs: NOW + HOUR_MS }],
  ['a day, with room for clocks', { resetAtMs: MONTH.resetAtMs - 1 }],
  ['no limit', { limit: null }],
  ['nothing of what remains', { remaining: null }],
  ['no reset', { resetAtMs: null }],
])('headers that say %s tell no month', async (_, said) => {
  const gate = gateOf()
  gate.setLease(null)
  gate.observe(said === null ? null : { ...MONTH, windowMs: null, ...said })
  await gate.enter(false)
})

test('a limit that the service raises within the month counts from then on', async () => {
  const gate = gateOf(null, 0)
  gate.setLease(null)
  gate.observe({ ...MONTH, windowMs: null, remaining: 1 })
  gate.observe({ ...MONTH, windowMs: null, limit: 500, remaining: 400 })
  for (let call = 0; call < 400; call++) await gate.enter(false)
  await expect(gate.enter(false)).rejects.toThrow('500 calls')
})

test('a month that the service tells holds until its reset, and a later one begins anew', async () => {
  let nowMs = NOW
  const gate = gateOf(null, 0, { nowMs: () => nowMs })
  const { signal } = new AbortController()
  const entering = gate.enter(false, signal)
  gate.setLease(null)
  await entering
  expect(getEventListeners(signal, 'abort')).toEqual([])
  gate.observe({ ...MONTH, windowMs: null })
  nowMs = MONTH.resetAtMs - 1
  await expect(gate.enter(false)).rejects.toMatchObject({ untilMs: MONTH.resetAtMs })
  nowMs = MONTH.resetAtMs
  await gate.enter(false)
  nowMs = NOW
  const resetAtMs = MONTH.resetAtMs + 26 * HOUR_MS
  gate.observe({ ...MONTH, windowMs: null, remaining: 1, resetAtMs: resetAtMs - 1 })
  await expect(gate.enter(false)).rejects.toThrow(MonthSpentError)
  gate.observe({ ...MONTH, windowMs: null, remaining: 1, resetAtMs: resetAtMs - 1 + 26 * HOUR_MS })
  await gate.enter(false)
})

test('a pacer that refuses, is left, or sends nothing gives the call of the month back', async () => {
  const gate = gateOf()
  gate.setLease(lease(1, 1, true))
  const pacer = createPacer({ rate: { calls: 1, perMs: 60_000 } })
  const gated = gatedPacer(pacer, gate)
  pacer.throttle(Date.now() + 60_000)
  expect(await gated.acquire({ maxBlockMs: 0 })).toMatchObject({ granted: false })
  await expect(gated.acquire({ signal: AbortSignal.timeout(10) })).rejects.toThrow()
  const open = gatedPacer(createPacer({ rate: null }), gate)
  expect(await open.acquire()).toEqual({ granted: true })
  // Nobody was there to connect to.
  open.abandon(false)
  expect(await open.acquire()).toEqual({ granted: true })
  // A request that was sent is a call, answered or not.
  open.abandon(true)
  await expect(open.acquire()).rejects.toThrow(MonthSpentError)
})

test('a gated pacer heeds the reserve, and hands what the headers say to the gate and to the window', async () => {
  const gate = gateOf()
  gate.setLease({ upTo: { backfill: 0, others: 1 }, isLast: { backfill: true, others: true } })
  const pacer = createPacer({ rate: null })
  const gated = gatedPacer(pacer, gate)
  await expect(gated.acquire({ mayUseReserve: false })).rejects.toThrow(MonthSpentError)
  expect(await gated.acquire({ mayUseReserve: true })).toEqual({ granted: true })
  gate.setLease(null)
  const nowMs = Date.now()
  const told = { limit: 5, remaining: 0, observedAtMs: nowMs, windowMs: null }
  gated.observe({ ...told, resetAtMs: nowMs + 60_000 }, nowMs)
  expect(await gated.acquire({ maxBlockMs: 0 })).toMatchObject({ granted: false })
  gated.observe({ ...told, resetAtMs: NOW + 9 * DAY_MS }, nowMs)
  await expect(gated.acquire({ mayUseReserve: true })).rejects.toThrow(MonthSpentError)
})
