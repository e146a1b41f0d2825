import { expect, test, vi } from 'vitest'
import { benchUnderTest } from './bench-under-test.ts'
import { staged } from './fake-warehouse.ts'

const SLICES = 200
const WITHIN = { timeout: 20_000, interval: 50 }

test('a batch of a schedule leaves the queue before those of a backfill that wait already', async () => {
  const opened = Promise.withResolvers<void>()
  const { warehouse, bench: it } = await benchUnderTest({
    slices: SLICES,
    batches: 1,
    answer: async () => {
      await opened.promise
      return staged
    },
  })
  await it.start({ kind: 'backfill' })
  await vi.waitFor(() => expect(warehouse.asks.length).toBeGreaterThan(0), WITHIN)
  const { handle } = await it.start({ kind: 'sync' }, `${it.workflowId}/hourly`)
  await vi.waitFor(async () => {
    const { raw } = await handle.describe()
    expect(raw.pendingActivities?.length).toBeGreaterThan(1)
  }, WITHIN)
  opened.resolve()
  await handle.result()
  // The first was under way already, the second may be on its way to the worker.
  const kinds = new Map(warehouse.asks.map(({ batch, mayUseReserve }) => [batch, mayUseReserve]))
  expect([kinds.get(0), kinds.get(2), kinds.get(3), kinds.get(4)]).toEqual([
    false,
    true,
    true,
    true,
  ])
})
