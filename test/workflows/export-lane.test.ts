import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { benchUnderTest, ordinals, sorted } from './bench-under-test.ts'
import { page } from './fake-warehouse.ts'

test('a lane goes on as a new run when its history is full, and takes every slice once', async () => {
  const SLICES = 35
  const { warehouse, bench: it } = await benchUnderTest({ slices: SLICES })
  const lane = await it.startLane({ slicesPerHistory: 10 })
  expect(await lane.result()).toMatchObject({ slicesLoaded: SLICES, calls: SLICES, fatal: null })
  expect(sorted(warehouse.asks.map(({ ordinal }) => ordinal))).toEqual(ordinals(SLICES))
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(SLICES))
  const runs = it.client.workflow.list({ query: `WorkflowId = "${lane.workflowId}"` })
  const statuses: string[] = []
  for await (const { status } of runs) statuses.push(status.name)
  expect(statuses.sort()).toEqual([
    'COMPLETED',
    'CONTINUED_AS_NEW',
    'CONTINUED_AS_NEW',
    'CONTINUED_AS_NEW',
  ])
})

test('fetching goes on while a load holds the ledger', async () => {
  const SLICES = 220
  const ASKED_DURING_LOAD = 50
  const PATIENCE_MS = 20_000
  let askedBefore = 0
  let askedOn = false
  const { warehouse, bench: it } = await benchUnderTest({
    slices: SLICES,
    onLoad: async () => {
      if (askedBefore > 0) return
      askedBefore = warehouse.asks.length
      const untilMs = Date.now() + PATIENCE_MS
      while (!askedOn && Date.now() < untilMs) {
        askedOn = warehouse.asks.length >= askedBefore + ASKED_DURING_LOAD
        await sleep(5)
      }
    },
  })
  const lane = await it.startLane({})
  expect(await lane.result()).toMatchObject({ slicesLoaded: SLICES, calls: SLICES, fatal: null })
  expect(askedOn).toBe(true)
  expect(sorted(warehouse.asks.map(({ ordinal }) => ordinal))).toEqual(ordinals(SLICES))
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(SLICES))
})

test('pages of a listing are asked for one after another, at the time of the first', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 1,
    answer: ({ input }) => page(input.page < 3 ? { step: 0, page: input.page + 1 } : null),
  })
  const lane = await it.startLane({})
  expect(await lane.result()).toMatchObject({ slicesLoaded: 1, calls: 3 })
  const first = warehouse.asks[0]?.input
  expect(first).toMatchObject({ page: 1, observedAtMs: null, freshAfterMs: null })
  expect(warehouse.asks.slice(1).map(({ input }) => [input.page, input.observedAtMs])).toEqual([
    [2, 1_700_000_000_000],
    [3, 1_700_000_000_000],
  ])
})

test('a listing that was interrupted starts again, but not for ever', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 2,
    answer: ({ ordinal, input, before }) => {
      if (input.page === 1) return page({ step: 0, page: 2 })
      if (ordinal === 0 && before > 0) return page()
      return { kind: 'listing_stale', calls: 0 }
    },
  })
  const lane = await it.startLane({})
  expect(await lane.result()).toMatchObject({ slicesLoaded: 1, slicesFailed: 1 })
  expect(warehouse.loads.flat()).toEqual([0])
  expect(warehouse.failures).toMatchObject([{ ordinal: 1, code: 'LISTING_INTERRUPTED' }])
  const restarted = warehouse.asks.filter(({ ordinal, input }) => ordinal === 0 && input.page === 1)
  expect(restarted.map(({ input }) => input.freshAfterMs === null)).toEqual([true, false])
})

test('a wrong granularity is cut again once, then fails the slice', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 2,
    answer: ({ ordinal, input }) =>
      ordinal === 0 && input.attempt === 2
        ? page()
        : { kind: 'wrong_granularity', delivered: '1h', calls: 1 },
  })
  const lane = await it.startLane({})
  expect(await lane.result()).toMatchObject({ slicesLoaded: 1, slicesFailed: 1, calls: 4 })
  expect(warehouse.failures).toEqual([
    {
      ordinal: 1,
      code: 'WRONG_GRANULARITY',
      reason: 'asked for 1d points twice, was given 1h',
    },
  ])
})
