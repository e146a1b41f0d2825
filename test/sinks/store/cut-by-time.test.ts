import { expect, test } from 'vitest'
import { cutByTime } from '../../../sinks/duckdb-store/cut-by-time.ts'

const TIMES = Float64Array.from([1_000, 2_000, 2_500, 3_000, 7_999])

test.each([
  ['no stretch', [], [[0, 5, false]]],
  ['all', [[0, 9]], [[0, 5, true]]],
  [
    'the middle, its end not included',
    [[2, 3]],
    [
      [0, 1, false],
      [1, 3, true],
      [3, 5, false],
    ],
  ],
  [
    'the begin and the end',
    [
      [0, 2],
      [7, 8],
    ],
    [
      [0, 1, true],
      [1, 4, false],
      [4, 5, true],
    ],
  ],
  [
    'a stretch without rows',
    [[4, 7]],
    [
      [0, 4, false],
      [4, 5, false],
    ],
  ],
  [
    'before all and behind all',
    [
      [0, 1],
      [8, 9],
    ],
    [[0, 5, false]],
  ],
] as const)('%s', (_what, stretches, ranges) => {
  const cut = cutByTime(
    TIMES,
    stretches.map(([fromMs, toMs]) => ({ fromMs, toMs })),
  )
  expect(cut.map(({ begin, end, isWithin }) => [begin, end, isWithin])).toEqual(ranges)
})

test('a page without rows has no ranges', () => {
  expect(cutByTime(new Float64Array(0), [{ fromMs: 0, toMs: 1 }])).toEqual([])
})
