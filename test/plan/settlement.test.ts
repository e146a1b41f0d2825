import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Slice } from '../../datasets/dataset.ts'
import { settlementOf } from '../../plan/settlement.ts'
import { testDataset } from './test-dataset.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const SETTLE = HOUR
const range = testDataset({ name: 'market_chart', kind: 'range', settleMs: () => SETTLE })

function sliceOf(fromMs: number, toMs: number): Slice {
  return {
    dataset: 'market_chart',
    entity: 'bitcoin',
    vsCurrency: 'usd',
    granularity: '1h',
    fromMs,
    toMs,
  }
}

const MINUTE = 60_000
/** Hours and minutes of the first day. */
const at = (hours: number, minutes = 0): number => hours * HOUR + minutes * MINUTE

describe('settlement of a range', () => {
  test.each([
    { what: 'long past', to: 90 * DAY, fetched: 200 * DAY, settledTo: 90 * DAY, recheck: null },
    { what: 'just settled', to: DAY, fetched: DAY + SETTLE, settledTo: DAY, recheck: null },
    {
      what: 'the point of this hour is there: until it can settle',
      to: at(15),
      fetched: at(14, 30),
      times: [at(13, 1), at(14, 2), at(14, 30)],
      settledTo: at(13, 30),
      recheck: at(15, 2),
      moving: at(14, 30),
    },
    {
      what: 'it is overdue for half an hour: in half an hour',
      to: at(15),
      fetched: at(14, 59),
      times: [at(13, 1), at(14, 59)],
      settledTo: at(13, 59),
      recheck: at(15, 28),
      moving: at(14, 59),
    },
    {
      what: 'this hour has no other point: until it is due',
      to: at(15),
      fetched: at(14, 10),
      times: [at(13, 9), at(14, 10)],
      settledTo: at(13, 10),
      recheck: at(14, 30),
      moving: at(14, 10),
    },
    {
      what: 'it is overdue: in five minutes',
      to: at(15),
      fetched: at(14, 33),
      times: [at(13, 1), at(14, 33)],
      settledTo: at(13, 33),
      recheck: at(14, 38),
      moving: at(14, 33),
    },
    {
      what: 'it is long overdue: as long again',
      to: at(15),
      fetched: at(14, 42),
      times: [at(13, 1), at(14, 42)],
      settledTo: at(13, 42),
      recheck: at(14, 54),
      moving: at(14, 42),
    },
    {
      what: 'an answer that the source kept ends earlier',
      to: at(15),
      fetched: at(14, 40),
      times: [at(14, 1), at(14, 11)],
      settledTo: at(13, 40),
      recheck: at(15, 1),
      moving: at(14, 11),
    },
    {
      what: 'a last point that is older than any kept answer is one of a step',
      to: at(15),
      fetched: at(14, 40),
      times: [at(13, 1), at(14, 9)],
      settledTo: at(13, 40),
      recheck: at(15, 9),
    },
    {
      what: 'an end younger than a kept answer may have its moving point',
      to: at(14, 10),
      fetched: at(14, 30),
      times: [at(13, 1), at(14, 5)],
      settledTo: at(13, 30),
      recheck: at(14, 35),
      moving: at(14, 5),
    },
    {
      what: 'an end older than a kept answer has none',
      to: at(14, 10),
      fetched: at(14, 50),
      times: [at(13, 1), at(14, 5)],
      settledTo: at(13, 50),
      recheck: at(15, 5),
    },
    {
      what: 'an end off the grid without a point',
      to: at(13, 42),
      fetched: at(14, 30),
      settledTo: at(13, 30),
      recheck: at(14, 42),
    },
    {
      what: 'an end on the grid: until it settles',
      to: at(14),
      fetched: at(14, 30),
      times: [at(13, 1)],
      settledTo: at(13, 30),
      recheck: at(15),
    },
    {
      what: 'the oldest point that is not settled is asked for in five minutes',
      to: at(15),
      fetched: at(14, 31),
      times: [at(13, 31), at(14, 2), at(14, 31)],
      settledTo: at(13, 31),
      recheck: at(14, 36),
      moving: at(14, 31),
    },
    {
      what: 'no point at all: as long again as the point is late',
      to: at(15),
      fetched: at(14, 40),
      settledTo: at(13, 40),
      recheck: at(14, 50),
    },
    {
      what: 'a last point just as old as a kept answer',
      to: at(15),
      fetched: at(14, 40),
      times: [at(13, 1), at(14, 10)],
      settledTo: at(13, 40),
      recheck: at(14, 50),
      moving: at(14, 10),
    },
    {
      what: 'an hourly point on midnight is no close of a day',
      to: at(25),
      fetched: at(24, 10),
      times: [at(23, 1), at(24)],
      settledTo: at(23, 10),
      recheck: at(24, 30),
      moving: at(24),
    },
  ])('$what', ({ to, fetched, times = [], settledTo, recheck, moving = null }) => {
    expect(settlementOf(sliceOf(0, to), fetched, range, times)).toEqual({
      settledToMs: settledTo,
      recheckAtMs: recheck,
      movingMs: moving,
    })
  })

  test('within the slice, later with each answer, and asked again at most every five minutes', () => {
    const time = fc.integer({ min: 0, max: 3 * DAY })
    fc.assert(
      fc.property(time, time, time, fc.array(time), (a, b, fetchedAtMs, points) => {
        fc.pre(a !== b)
        const slice = sliceOf(Math.min(a, b), Math.max(a, b))
        const times = points
          .filter((ms) => ms >= slice.fromMs && ms < slice.toMs && ms <= fetchedAtMs)
          .sort((x, y) => x - y)
        const first = settlementOf(slice, fetchedAtMs, range, times)
        expect(first.settledToMs).toBeGreaterThanOrEqual(slice.fromMs)
        expect(first.settledToMs).toBeLessThanOrEqual(slice.toMs)
        if (first.recheckAtMs === null) {
          expect(first.settledToMs).toBe(slice.toMs)
          return
        }
        expect(first.recheckAtMs - fetchedAtMs).toBeGreaterThan(4 * MINUTE)
        const own = times.filter((ms) => ms !== first.movingMs)
        const again = settlementOf(slice, first.recheckAtMs, range, own)
        expect(again.settledToMs).toBeGreaterThanOrEqual(first.settledToMs)
      }),
    )
  })
})

describe('settlement of days', () => {
  const daily = testDataset({ ...range, cacheMs: () => DAY / 2 })
  const day = { ...sliceOf(0, 2 * DAY), granularity: '1d' as const }
  const until = (minutes: number) => DAY + minutes * MINUTE

  test.each([
    {
      what: 'a point on midnight is the close of a day, and no moving one',
      fetched: until(45),
      times: [0, DAY],
      expected: { settledToMs: DAY - 15 * MINUTE, recheckAtMs: until(60), movingMs: null },
    },
    {
      what: 'settled: until the next day is due',
      fetched: until(65),
      times: [0, DAY, until(65)],
      expected: { settledToMs: until(5), recheckAtMs: until(40) + DAY, movingMs: until(65) },
    },
    {
      what: 'a day that lacks its point is not settled: it may still come',
      fetched: until(65),
      times: [0, until(65)],
      expected: { settledToMs: DAY, recheckAtMs: until(90), movingMs: until(65) },
    },
    {
      what: 'a moving point of many hours ago never settles',
      fetched: until(720),
      times: [0, DAY, until(60)],
      expected: { settledToMs: until(60), recheckAtMs: until(40) + DAY, movingMs: until(60) },
    },
  ])('$what', ({ fetched, times, expected }) => {
    expect(settlementOf(day, fetched, daily, times)).toEqual(expected)
  })

  test('an answer that was kept since the afternoon, of a day that is over by now', () => {
    const moving = at(15)
    const { settledToMs, movingMs } = settlementOf({ ...day, toMs: DAY }, until(5), daily, [
      0,
      moving,
    ])
    expect({ settledToMs, movingMs }).toEqual({ settledToMs: moving, movingMs: moving })
  })
})

describe('settlement of candles', () => {
  const candles = testDataset({
    ...range,
    kind: 'trailing',
    settleMs: () => at(1, 50),
    lateMs: () => at(1, 15),
    cacheMs: () => at(0, 15),
    isOfCandles: true,
  })

  test.each([
    {
      what: 'one that closed a moment ago may be a kept answer from before',
      fetched: at(14, 10),
      times: [at(12), at(13)],
      expected: { settledToMs: at(12, 20), recheckAtMs: at(14, 15), movingMs: at(13) },
    },
    {
      what: 'one that closed longer ago is there, and settles',
      fetched: at(14, 15),
      times: [at(12), at(13)],
      expected: { settledToMs: at(12, 25), recheckAtMs: at(14, 50), movingMs: null },
    },
  ])('$what', ({ fetched, times, expected }) => {
    expect(settlementOf(sliceOf(0, at(14)), fetched, candles, times)).toEqual(expected)
  })
})

describe('settlement of other kinds', () => {
  const bucket = { ...sliceOf(DAY, 2 * DAY), granularity: '' as const }
  test.each([
    { kind: 'snapshot', at: DAY, settledTo: 2 * DAY, recheck: null },
    { kind: 'snapshot', at: 2 * DAY - 1, settledTo: 2 * DAY, recheck: null },
    { kind: 'snapshot', at: 2 * DAY, settledTo: DAY, recheck: null },
    { kind: 'catalogue', at: 1.5 * DAY, settledTo: 2 * DAY, recheck: null },
    { kind: 'dated', at: 1.5 * DAY, settledTo: DAY, recheck: 2 * DAY + SETTLE },
    { kind: 'dated', at: 2 * DAY + SETTLE, settledTo: 2 * DAY, recheck: null },
  ] as const)('$kind fetched at $at', ({ kind, at, settledTo, recheck }) => {
    const dataset = testDataset({ name: 'x', kind, settleMs: () => SETTLE })
    expect(settlementOf(bucket, at, dataset, [])).toEqual({
      settledToMs: settledTo,
      recheckAtMs: recheck,
      movingMs: null,
    })
  })
})
