import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../config/values/duration.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { settlementOf } from '../../plan/settlement.ts'
import { testDataset } from './test-dataset.ts'

const SETTLE = HOUR_MS
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

/** Hours and minutes of the first day. */
const at = (hours: number, minutes = 0): number => hours * HOUR_MS + minutes * MINUTE_MS
const hoursAndMinutes = (time: string) => time.split(':').map(Number) as [number, number]

describe('settlement of a range', () => {
  // Times of the first day and later; `-` is none.
  const SETTLEMENTS = `
    to       fetched  points             settled  again  moving  what
    2160:00  4800:00  -                  2160:00  -      -       long past
    24:00    25:00    -                  24:00    -      -       just settled
    15:00    14:30    13:01,14:02,14:30  13:30    15:02  14:30   the point of this hour is there: until it can settle
    15:00    14:59    13:01,14:59        13:59    15:28  14:59   it is overdue for half an hour: in half an hour
    15:00    14:10    13:09,14:10        13:10    14:30  14:10   this hour has no other point: until it is due
    15:00    14:33    13:01,14:33        13:33    14:38  14:33   it is overdue: in five minutes
    15:00    14:42    13:01,14:42        13:42    14:54  14:42   it is long overdue: as long again
    15:00    14:40    14:01,14:11        13:40    15:01  14:11   an answer that the source kept ends earlier
    15:00    14:40    13:01,14:09        13:40    15:09  -       a last point that is older than any kept answer is one of a step
    14:10    14:30    13:01,14:05        13:30    14:35  14:05   an end younger than a kept answer may have its moving point
    14:10    14:50    13:01,14:05        13:50    15:05  -       an end older than a kept answer has none
    13:42    14:30    -                  13:30    14:42  -       an end off the grid without a point
    14:00    14:30    13:01              13:30    15:00  -       an end on the grid: until it settles
    15:00    14:31    13:31,14:02,14:31  13:31    14:36  14:31   the oldest point that is not settled is asked for in five minutes
    15:00    14:40    -                  13:40    14:50  -       no point at all: as long again as the point is late
    15:00    14:40    13:01,14:10        13:40    14:50  14:10   a last point just as old as a kept answer
    25:00    24:10    23:01,24:00        23:10    24:30  24:00   an hourly point on midnight is no close of a day`
  const rows = SETTLEMENTS.trim().split('\n').slice(1)
  test.each(rows.map((row) => row.trim().split(/  +/)))(
    'up to %s, fetched at %s with %s: settled to %s, again at %s, moving %s: %s',
    (to, fetched, points, ...expected) => {
      const msOf = (time = ''): number[] => (time === '-' ? [] : [at(...hoursAndMinutes(time))])
      const times = points.split(',').flatMap(msOf)
      const [settledToMs, recheckAtMs, movingMs] = expected
        .slice(0, 3)
        .map((time) => msOf(time)[0] ?? null)
      expect(settlementOf(sliceOf(0, msOf(to)[0]!), msOf(fetched)[0]!, range, times)).toEqual({
        settledToMs,
        recheckAtMs,
        movingMs,
      })
    },
  )

  test('within the slice, later with each answer, and asked again at most every five minutes', () => {
    const time = fc.integer({ min: 0, max: 3 * DAY_MS })
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
        expect(first.recheckAtMs - fetchedAtMs).toBeGreaterThan(4 * MINUTE_MS)
        const own = times.filter((ms) => ms !== first.movingMs)
        const again = settlementOf(slice, first.recheckAtMs, range, own)
        expect(again.settledToMs).toBeGreaterThanOrEqual(first.settledToMs)
      }),
    )
  })
})

describe('settlement of days', () => {
  const daily = testDataset({ ...range, cacheMs: () => DAY_MS / 2 })
  const day = { ...sliceOf(0, 2 * DAY_MS), granularity: '1d' as const }
  const until = (minutes: number) => DAY_MS + minutes * MINUTE_MS

  test.each([
    {
      what: 'a point on midnight is the close of a day, and no moving one',
      fetched: until(45),
      times: [0, DAY_MS],
      expected: { settledToMs: DAY_MS - 15 * MINUTE_MS, recheckAtMs: until(60), movingMs: null },
    },
    {
      what: 'settled: until the next day is due',
      fetched: until(65),
      times: [0, DAY_MS, until(65)],
      expected: { settledToMs: until(5), recheckAtMs: until(40) + DAY_MS, movingMs: until(65) },
    },
    {
      what: 'a day that lacks its point is not settled: it may still come',
      fetched: until(65),
      times: [0, until(65)],
      expected: { settledToMs: DAY_MS, recheckAtMs: until(90), movingMs: until(65) },
    },
    {
      what: 'a moving point of many hours ago never settles',
      fetched: until(720),
      times: [0, DAY_MS, until(60)],
      expected: { settledToMs: until(60), recheckAtMs: until(40) + DAY_MS, movingMs: until(60) },
    },
  ])('$what', ({ fetched, times, expected }) => {
    expect(settlementOf(day, fetched, daily, times)).toEqual(expected)
  })

  test('an answer that was kept since the afternoon, of a day that is over by now', () => {
    const moving = at(15)
    const { settledToMs, movingMs } = settlementOf({ ...day, toMs: DAY_MS }, until(5), daily, [
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
  const bucket = { ...sliceOf(DAY_MS, 2 * DAY_MS), granularity: '' as const }
  test.each([
    { kind: 'snapshot', at: DAY_MS, settledTo: 2 * DAY_MS, recheck: null },
    { kind: 'snapshot', at: 2 * DAY_MS - 1, settledTo: 2 * DAY_MS, recheck: null },
    { kind: 'snapshot', at: 2 * DAY_MS, settledTo: DAY_MS, recheck: null },
    { kind: 'catalogue', at: 1.5 * DAY_MS, settledTo: 2 * DAY_MS, recheck: null },
    { kind: 'dated', at: 1.5 * DAY_MS, settledTo: DAY_MS, recheck: 2 * DAY_MS + SETTLE },
    { kind: 'dated', at: 2 * DAY_MS + SETTLE, settledTo: 2 * DAY_MS, recheck: null },
  ] as const)('$kind fetched at $at', ({ kind, at, settledTo, recheck }) => {
    const dataset = testDataset({ name: 'x', kind, settleMs: () => SETTLE })
    expect(settlementOf(bucket, at, dataset, [])).toEqual({
      settledToMs: settledTo,
      recheckAtMs: recheck,
      movingMs: null,
    })
  })
})
