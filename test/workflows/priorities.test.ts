import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { rankOf } from '../../workflows/run-kind.ts'
import type { RunKind } from '../../workflows/run-kind.ts'
import { benchUnderTest } from './bench-under-test.ts'
import { page } from './fake-warehouse.ts'
import { BENCH_CONCURRENCY } from './workflow-bench.ts'

const SLICES = 40
const LATE = 4
/** The server counts pages before it has them at hand for whoever polls. */
const AT_HAND_MS = 1_000
const WITHIN = { timeout: 20_000, interval: 50 }

test('pages of a sync, then those asked for by hand, start before a backfill that waits already', async () => {
  const opened = Promise.withResolvers<void>()
  const { warehouse, bench: it } = await benchUnderTest({
    slices: SLICES,
    answer: async () => {
      await opened.promise
      return page()
    },
  })
  const waiting = async (stageDir: RunKind, count: number, taken = 0): Promise<void> => {
    const after = SLICES - 1 - count
    await it.startLane({ stageDir, kind: stageDir, inFlight: SLICES, after })
    await vi.waitFor(async () => {
      expect((await it.backlog())[rankOf(stageDir).priorityKey]).toBe(count - taken)
    }, WITHIN)
  }
  await waiting('backfill', SLICES, BENCH_CONCURRENCY)
  await waiting('by_hand', LATE)
  await waiting('sync', LATE)
  await sleep(AT_HAND_MS)
  opened.resolve()
  await vi.waitFor(() => expect(warehouse.asks.length).toBe(SLICES + 2 * LATE), WITHIN)
  // A page of the backfill may be on its way to each poll before the others come.
  const late = warehouse.asks.slice(BENCH_CONCURRENCY, 2 * BENCH_CONCURRENCY + 2 * LATE)
  const order = late.map(({ input }) => input.stageDir)
  // Several slots are filled at once: of two that start together either may be noted first.
  const placesOf = (kind: string): number =>
    order.reduce((sum, one, place) => sum + (one === kind ? place : 0), 0)
  expect(order.filter((kind) => kind !== 'backfill').toSorted()).toEqual([
    ...Array<string>(LATE).fill('by_hand'),
    ...Array<string>(LATE).fill('sync'),
  ])
  expect(placesOf('sync')).toBeLessThan(placesOf('by_hand'))
})

test('only a backfill leaves the reserve of the month alone', () => {
  const kinds = ['sync', 'by_hand', 'backfill'] as const
  expect(kinds.map((kind) => rankOf(kind))).toEqual([
    { priorityKey: 1, mayUseReserve: true },
    { priorityKey: 3, mayUseReserve: true },
    { priorityKey: 5, mayUseReserve: false },
  ])
})
