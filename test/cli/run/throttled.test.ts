import { expect, onTestFinished, test, vi } from 'vitest'
import { throttled } from '../../../cli/run/share-budget.ts'

test('of a burst of changes the first is written at once, and the last when the time is over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let count = 0
  const written: number[] = []
  const { soon, now } = throttled(() => Promise.resolve(void written.push(count)), 10_000)
  for (count = 1; count < 60; count++) {
    soon()
    vi.advanceTimersByTime(100)
  }
  expect(written).toEqual([1])
  vi.advanceTimersByTime(10_000)
  expect(written).toEqual([1, 60])
  vi.advanceTimersByTime(60_000)
  expect(written).toEqual([1, 60])
  // The end writes at once, and nothing follows it.
  count = 61
  soon()
  count = 62
  soon()
  await now()
  vi.advanceTimersByTime(60_000)
  expect(written).toEqual([1, 60, 61, 62])
})
