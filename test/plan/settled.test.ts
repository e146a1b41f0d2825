import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Slice } from '../../datasets/dataset.ts'
import { settled } from '../../plan/settled.ts'
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

describe('settled of a range', () => {
  test.each([
    { what: 'long past', from: 0, to: 90 * DAY, at: 200 * DAY, settledTo: 90 * DAY, recheck: null },
    { what: 'just settled', from: 0, to: DAY, at: DAY + SETTLE, settledTo: DAY, recheck: null },
    // 14:30, an hour of lateness: points before 13:00 are final; at 15:00 those before 14:00 are.
    {
      what: 'tail in mid-hour',
      from: 0,
      to: 15 * HOUR,
      at: 14.5 * HOUR,
      settledTo: 13 * HOUR,
      recheck: 15 * HOUR,
    },
    {
      what: 'nothing settled yet',
      from: 14 * HOUR,
      to: 15 * HOUR,
      at: 14.5 * HOUR,
      settledTo: 14 * HOUR,
      recheck: 16 * HOUR,
    },
    {
      what: 'an end off the grid, settled',
      from: 0,
      to: 13.2 * HOUR,
      at: 14.5 * HOUR,
      settledTo: 13.2 * HOUR,
      recheck: null,
    },
    {
      what: 'an end off the grid, not settled',
      from: 0,
      to: 13.7 * HOUR,
      at: 14.5 * HOUR,
      settledTo: 13 * HOUR,
      recheck: 14.7 * HOUR,
    },
  ])('$what', ({ from, to, at, settledTo, recheck }) => {
    expect(settled(sliceOf(from, to), at, range)).toEqual({
      settledToMs: settledTo,
      recheckAtMs: recheck,
    })
  })

  test('asking again at recheckAtMs always verifies more, and never before', () => {
    const time = fc.integer({ min: 0, max: 30 * DAY })
    fc.assert(
      fc.property(time, time, time, (a, b, fetchedAtMs) => {
        fc.pre(a !== b)
        const slice = sliceOf(Math.min(a, b), Math.max(a, b))
        const first = settled(slice, fetchedAtMs, range)
        expect(first.settledToMs).toBeGreaterThanOrEqual(slice.fromMs)
        expect(first.settledToMs).toBeLessThanOrEqual(slice.toMs)
        if (first.recheckAtMs === null) {
          expect(first.settledToMs).toBe(slice.toMs)
          return
        }
        expect(first.recheckAtMs).toBeGreaterThan(fetchedAtMs)
        const early = settled(slice, first.recheckAtMs - 1, range)
        expect(early.settledToMs).toBe(first.settledToMs)
        const again = settled(slice, first.recheckAtMs, range)
        expect(again.settledToMs).toBeGreaterThan(first.settledToMs)
      }),
    )
  })
})

describe('settled of other kinds', () => {
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
    expect(settled(bucket, at, dataset)).toEqual({ settledToMs: settledTo, recheckAtMs: recheck })
  })
})
