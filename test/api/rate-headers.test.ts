import { describe, expect, test } from 'vitest'
import {
  type Headers,
  EMPTY_RESET_MEMORY,
  readDate,
  readRateHeaders,
  readRetryAfter,
  type ResetMemory,
} from '../../api/rate-headers.ts'

const NOW = Date.UTC(2025, 6, 25, 14, 53, 23)
const MINUTE_END = Date.UTC(2025, 6, 25, 14, 54)

function read(headers: Headers, dateMs: number | null = NOW, memory: Partial<ResetMemory> = {}) {
  return readRateHeaders(headers, {
    askedAtMs: NOW,
    nowMs: NOW,
    dateMs,
    memory: { ...EMPTY_RESET_MEMORY, ...memory },
  })
}

describe('the unit of Reset', () => {
  const frozen = Date.UTC(2021, 4, 15)
  test.each([
    { name: 'seconds left', reset: '37', leftMs: 37_000 },
    { name: 'none left', reset: '0', leftMs: 0 },
    { name: 'a month of seconds left', reset: '2592000', leftMs: 2_592_000_000 },
    { name: 'epoch seconds', reset: String(MINUTE_END / 1_000), leftMs: 37_000 },
    { name: 'epoch seconds with a fraction', reset: `${MINUTE_END / 1_000}.5`, leftMs: 37_500 },
    { name: 'epoch seconds, just over', reset: String(NOW / 1_000 - 2), leftMs: 0 },
    { name: 'epoch milliseconds', reset: String(MINUTE_END), leftMs: 37_000 },
    { name: 'a date-time with zone', reset: '2025-07-25 14:54:00 +0000', leftMs: 37_000 },
    { name: 'a date-time elsewhere', reset: '2025-07-25 16:54:00 +0200', leftMs: 37_000 },
    { name: 'a date-time without zone', reset: '2025-07-25 14:54:00', leftMs: 37_000 },
    { name: 'ISO without zone', reset: '2025-07-25T14:54:00', leftMs: 37_000 },
    { name: 'ISO', reset: '2025-07-25T14:54:00.000Z', leftMs: 37_000 },
    { name: 'an HTTP date', reset: 'Fri, 25 Jul 2025 14:54:00 GMT', leftMs: 37_000 },
    { name: 'a year ahead', reset: String(NOW / 1_000 + 366 * 86_400), leftMs: null },
    { name: 'negative', reset: '-5', leftMs: null },
    { name: 'no time at all', reset: 'soon', leftMs: null },
    {
      name: 'epoch seconds of a source whose clock stands in 2021',
      reset: String(frozen / 1_000 + 30),
      dateMs: frozen,
      leftMs: 30_000,
    },
    {
      name: 'the same without Date, by what is remembered of its clock',
      reset: String(frozen / 1_000 + 30),
      dateMs: null,
      memory: { skewMs: frozen - NOW },
      leftMs: 30_000,
    },
  ])('$name ($reset)', ({ reset, dateMs = NOW, memory = {}, leftMs }) => {
    const state = read({ 'x-ratelimit-reset': reset }, dateMs, memory)
    expect(state?.resetAtMs).toBe(leftMs === null ? null : NOW + leftMs)
  })

  test('a local clock that is two hours wrong changes nothing, once a Date was seen', () => {
    const memory = { ...EMPTY_RESET_MEMORY }
    const headers = { 'x-ratelimit-reset': String(MINUTE_END / 1_000) }
    const nowMs = NOW - 7_200_000
    for (const dateMs of [NOW, null]) {
      const state = readRateHeaders(headers, { askedAtMs: nowMs, nowMs, dateMs, memory })
      expect(state?.resetAtMs).toBe(nowMs + 37_000)
    }
    expect(memory.unit).toBe('epoch_s')
  })
})

describe('limit and remaining', () => {
  test.each([
    { headers: { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '7' }, is: [30, 7] },
    { headers: { 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '-1' }, is: [30, 0] },
    { headers: { 'x-ratelimit-limit': ['100', '5'] }, is: [100, null] },
    { headers: { 'x-ratelimit-limit': '100, 100;w=60' }, is: [100, null] },
    { headers: { 'x-ratelimit-remaining': ' 0 ' }, is: [null, 0] },
    { headers: { 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': '3' }, is: [null, null] },
  ])('$headers', ({ headers, is }) => {
    const state = read(headers)
    expect([state?.limit, state?.remaining]).toEqual(is)
  })

  test.each([{}, { 'retry-after': '3' }, { 'x-ratelimit-limit': '' }])(
    'nothing in %j',
    (headers) => {
      expect(read(headers)).toBeNull()
    },
  )
})

test.each([
  { lefts: [37], is: 60_000 },
  { lefts: [3], is: 3_000 },
  { lefts: [3, 57, 12], is: 60_000 },
  { lefts: [61], is: 60_000 },
  { lefts: [10], is: 10_000 },
  { lefts: [2_000], is: 3_600_000 },
  { lefts: [2_000_000], is: null },
  { lefts: [0], is: null },
])('seen $lefts seconds left, the window is $is ms', ({ lefts, is }) => {
  const context = { askedAtMs: NOW, nowMs: NOW, dateMs: NOW, memory: { ...EMPTY_RESET_MEMORY } }
  const states = lefts.map((left) =>
    readRateHeaders({ 'x-ratelimit-reset': String(left) }, context),
  )
  expect(states.at(-1)?.windowMs).toBe(is)
})

/** An answer that was asked 10 ms before it was made, and heard `lateMs` after. Our clock is `aheadMs` ahead. */
function heard(memory: ResetMemory, madeMs: number, resetMs: number, { lateMs = 10, aheadMs = 0 }) {
  const headers = { 'x-ratelimit-reset': String(Math.ceil(resetMs / 1_000)) }
  const dateMs = Math.floor(madeMs / 1_000) * 1_000
  const askedAtMs = madeMs + aheadMs - 10
  return readRateHeaders(headers, { askedAtMs, nowMs: madeMs + aheadMs + lateMs, dateMs, memory })
}

test('a sliding second told as epoch is no window of 5 s, whatever whole seconds add', () => {
  const memory = { ...EMPTY_RESET_MEMORY }
  const windows = Array.from({ length: 40 }, (_, call) => {
    const madeMs = NOW + 990 + call * 197
    return heard(memory, madeMs, madeMs + 1_000 - (call % 5) * 150, {})?.windowMs
  })
  expect(new Set(windows)).toEqual(new Set([1_000]))
})

test('a process that stood still hears late, and takes neither the clock nor the window for another', () => {
  const memory = { ...EMPTY_RESET_MEMORY }
  const seen = Array.from({ length: 60 }, (_, call) => {
    const madeMs = NOW + call * 500
    const lateMs = call % 7 === 3 ? 2_900 : 10
    const state = heard(memory, madeMs, NOW + Math.ceil((call + 1) / 20) * 10_000, { lateMs })
    return state?.windowMs
  })
  expect(new Set(seen)).toEqual(new Set([10_000]))
  expect(memory.skewMs).toBeGreaterThan(-1_000)
})

test('seconds left are those when the answer was made, however late it is heard', () => {
  const memory = { ...EMPTY_RESET_MEMORY }
  const heardAfter = (lateMs: number): number | null | undefined => {
    const context = { askedAtMs: NOW, nowMs: NOW + lateMs, dateMs: NOW, memory }
    return readRateHeaders({ 'x-ratelimit-reset': '9' }, context)?.resetAtMs
  }
  expect(heardAfter(20)).toBe(NOW + 20 + 9_000)
  // Date may be a second old by itself.
  expect(heardAfter(3_020)).toBe(NOW + 20 + 1_000 + 9_000)
  expect(heardAfter(12_000)).toBe(NOW + 12_000)
})

test('a clock that was set back by seconds is believed when it stays so', () => {
  const memory = { ...EMPTY_RESET_MEMORY }
  const leftAt = (call: number, aheadMs: number): number => {
    const madeMs = NOW + call * 500
    const state = heard(memory, madeMs, NOW + 60_000, { aheadMs })
    return state!.resetAtMs! - aheadMs - madeMs
  }
  for (let call = 0; call < 30; call++) leftAt(call, 5_000)
  for (let call = 30; call < 60; call++) {
    const leftMs = leftAt(call, 25_000)
    if (call > 52) expect(leftMs).toBeGreaterThanOrEqual(60_000 - call * 500)
  }
})

test('two old Dates count as no set clock where a better one came between', () => {
  const memory = { ...EMPTY_RESET_MEMORY }
  const heardAt = (afterMs: number, lateMs: number, oldMs = 0): void => {
    const askedAtMs = NOW + afterMs
    const context = { askedAtMs, nowMs: askedAtMs + lateMs, dateMs: askedAtMs - oldMs, memory }
    readRateHeaders({ 'x-ratelimit-reset': String(MINUTE_END / 1_000) }, context)
  }
  heardAt(0, 900)
  heardAt(1_000, 10, 5_000)
  heardAt(2_000, 500)
  heardAt(13_000, 10, 5_000)
  expect(memory.skewMs).toBe(-500)
})

test.each([
  ['119', 119_000],
  ['0', 0],
  ['1.5', 1_500],
  ['Fri, 25 Jul 2025 14:54:00 GMT', 37_000],
  ['Fri, 25 Jul 2025 14:00:00 GMT', 0],
  ['later', null],
  ['', null],
])('Retry-After %j', (value, leftMs) => {
  const untilMs = readRetryAfter({ 'retry-after': value }, { nowMs: NOW, dateMs: null })
  expect(untilMs).toBe(leftMs === null ? null : NOW + leftMs)
})

test('a Retry-After date is measured by the clock of the source', () => {
  const headers = { 'retry-after': 'Fri, 25 Jul 2025 14:54:00 GMT' }
  expect(readRetryAfter(headers, { nowMs: NOW, dateMs: MINUTE_END - 5_000 })).toBe(NOW + 5_000)
})

test('the Date header', () => {
  expect(readDate({ date: 'Fri, 25 Jul 2025 14:54:00 GMT' })).toBe(MINUTE_END)
  expect(readDate({ date: 'today' })).toBeNull()
  expect(readDate({})).toBeNull()
})
