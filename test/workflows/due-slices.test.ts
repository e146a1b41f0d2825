import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BatchSlice } from '../../activities/activity-types.ts'
import { dueSlices, type DueSlice } from '../../workflows/due-slices.ts'

const NOW_MS = 1_000_000

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS })
})

// Files share a process: a test of another file would wait for ever.
afterEach(() => {
  vi.useRealTimers()
})

/** Slices of the plan with the ordinals `from` to `to`. */
function planned(from: number, to: number): BatchSlice[] {
  return Array.from(
    { length: to - from + 1 },
    (_, place) => ({ ordinal: from + place }) as BatchSlice,
  )
}

const ordinals = (batch: readonly DueSlice[]): number[] => batch.map(({ slice }) => slice.ordinal)

test('a batch grows to twice what the last one ended, and shrinks to it when slices are left', () => {
  const due = dueSlices()
  due.addPlanned(planned(1, 200))
  const sizes: number[] = []
  const left = [0, 0, 30, 1, 0]
  for (const many of left) {
    const batch = due.takeBatch(null)
    sizes.push(batch.length)
    due.putBackLeft(batch.slice(batch.length - many), batch.length - many)
  }
  expect([...sizes, due.takeBatch(null).length]).toEqual([16, 32, 32, 4, 4, 8])
})

test('the last slices are spread over the batches, at least four to each', () => {
  const due = dueSlices()
  due.addPlanned(planned(1, 45))
  expect(ordinals(due.takeBatch(9))).toEqual([1, 2, 3, 4, 5])
  expect(ordinals(due.takeBatch(40))).toEqual([6, 7, 8, 9])
})

test('a slice that must wait is passed over, and told by the earliest time', () => {
  const due = dueSlices()
  expect([due.count(), due.earliestMs()]).toEqual([0, Infinity])
  due.addPlanned(planned(1, 3))
  const [first, ...others] = due.takeBatch(null)
  due.putBackLeft([{ ...first!, notBeforeMs: NOW_MS + 1 }], 2)
  due.putBack(others)
  expect([due.count(), due.earliestMs()]).toEqual([3, 0])
  expect(ordinals(due.takeBatch(null))).toEqual([2, 3])
  expect([due.earliestMs(), due.takeBatch(null)]).toEqual([NOW_MS + 1, []])
  vi.setSystemTime(NOW_MS + 1)
  expect(ordinals(due.takeBatch(null))).toEqual([1])
})

test('of the slices that a batch left, the longest listing is next', () => {
  const due = dueSlices()
  due.addPlanned(planned(1, 4))
  const [, second, third, fourth] = due.takeBatch(null)
  const begun = (one: DueSlice | undefined, pages: number): DueSlice => {
    return { ...one!, slice: { ...one!.slice, begun: { pages } as never } }
  }
  due.putBackLeft([second!, begun(third, 2), begun(fourth, 9)], 1)
  expect(ordinals(due.takeBatch(null))).toEqual([4, 3, 2])
})

test('a slice whose batch lost its worker is alone in a batch', () => {
  const due = dueSlices()
  due.addPlanned(planned(1, 5))
  const batch = due.takeBatch(1)
  expect(ordinals(batch)).toEqual([1, 2, 3, 4, 5])
  due.putBack(batch.slice(1).map((one, place) => ({ ...one, isAlone: place === 1 })))
  const batches = [2, 3, 4].map(() => ordinals(due.takeBatch(null)))
  expect(batches).toEqual([[2], [3], [4, 5]])
})
