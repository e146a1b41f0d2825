import { expect, test } from 'vitest'
import { crashCases } from '../../bench/disturb/crash.ts'
import { pairwise } from '../../bench/pairwise.ts'
import { CRASH_POINTS } from '../../config/crash-point.ts'

test('every value of each factor meets every value of every other', () => {
  const factors = { a: [1, 2, 3, 4, 5], b: ['x', 'y', 'z'], c: [true, false], d: ['p', 'q', 'r'] }
  const rows = pairwise(factors)
  const names = ['a', 'b', 'c', 'd'] as const
  for (const one of names) {
    for (const other of names.filter((name) => name !== one)) {
      const met = new Set(rows.map((row) => `${row[one]} ${row[other]}`))
      expect(met.size).toBe(factors[one].length * factors[other].length)
    }
  }
  // The two largest factors need this many, and no row is spent beyond them.
  expect(rows).toHaveLength(15)
  expect(pairwise(factors)).toEqual(rows)
})

test('each seed of the crash benchmark kills at every point', () => {
  const seeds = Map.groupBy(crashCases, ({ seed }) => seed)
  expect(new Set(seeds.keys())).toEqual(new Set([1, 2, 3]))
  for (const cases of seeds.values()) {
    expect(new Set(cases.map(({ point }) => point))).toEqual(new Set(CRASH_POINTS))
  }
})
