import { expect, test } from 'vitest'
import { crashCases } from '../../../bench/disturb/crash.ts'
import { CRASH_POINTS } from '../../../config/crash-point.ts'

test('every crash point, publication, choice of workers and seed meets each of the others', () => {
  const names = ['point', 'publication', 'workers', 'seed'] as const
  const valuesOf = (name: (typeof names)[number]) => new Set(crashCases.map((one) => one[name]))
  expect(names.map((name) => valuesOf(name).size)).toEqual([CRASH_POINTS.length, 3, 3, 3])
  for (const one of names) {
    for (const other of names.filter((name) => name !== one)) {
      const met = new Set(crashCases.map((row) => `${row[one]} ${row[other]}`))
      expect(met.size).toBe(valuesOf(one).size * valuesOf(other).size)
    }
  }
  expect(crashCases).toHaveLength(3 * CRASH_POINTS.length)
})
