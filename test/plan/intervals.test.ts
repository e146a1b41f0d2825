import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Interval, clip, intersect, merge, subtract, totalMs } from '../../plan/intervals.ts'

const SPAN = 40
const at = (fromMs: number, toMs: number): Interval => ({ fromMs, toMs })

/** Intervals as they come: any order, overlapping, empty and backwards ones among them. */
const intervals = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: SPAN }), fc.integer({ min: 0, max: SPAN }))
    .map(([fromMs, toMs]) => at(fromMs, toMs)),
  { maxLength: 8 },
)

/** The slow truth: which instants are in it, one by one. */
function instants(list: readonly Interval[]): boolean[] {
  return Array.from({ length: SPAN }, (_, ms) =>
    list.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs),
  )
}

function expectNormal(list: readonly Interval[]): void {
  list.forEach((interval, i) => {
    expect(interval.fromMs).toBeLessThan(interval.toMs)
    if (i > 0) expect(list[i - 1]?.toMs).toBeLessThan(interval.fromMs)
  })
}

describe('against one instant at a time', () => {
  test.each([
    { name: 'merge', ours: merge, truth: (a: boolean) => a },
    { name: 'subtract', ours: subtract, truth: (a: boolean, b: boolean) => a && !b },
    { name: 'intersect', ours: intersect, truth: (a: boolean, b: boolean) => a && b },
  ])('$name', ({ ours, truth }) => {
    fc.assert(
      fc.property(intervals, intervals, (a, b) => {
        const result = ours(a, b)
        expectNormal(result)
        const inB = instants(b)
        expect(instants(result)).toEqual(instants(a).map((inA, ms) => truth(inA, inB[ms] === true)))
      }),
      { numRuns: 500 },
    )
  })
})

test('holes and what covers them tile the wanted exactly', () => {
  fc.assert(
    fc.property(intervals, intervals, (wanted, covered) => {
      const holes = subtract(wanted, covered)
      const kept = intersect(wanted, covered)
      expect(merge([...holes, ...kept])).toEqual(merge(wanted))
      expect(totalMs(holes) + totalMs(kept)).toBe(totalMs(merge(wanted)))
    }),
    { numRuns: 500 },
  )
})

test('nothing is changed in place', () => {
  const list = [at(5, 9), at(0, 6)]
  merge(list)
  subtract(list, list)
  expect(list).toEqual([at(5, 9), at(0, 6)])
})

test('clip to open ends', () => {
  const list = [at(0, 10), at(20, 30)]
  expect(clip(list, at(-Infinity, 5))).toEqual([at(0, 5)])
  expect(clip(list, at(25, Infinity))).toEqual([at(25, 30)])
})
