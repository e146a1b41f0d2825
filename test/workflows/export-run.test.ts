import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { SourceAuthError, SourceRequestError } from '../../api/errors.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { memoProgress } from '../../cli/run/open-run.ts'
import { cancelUpdate, noTotals, pauseUpdate, resumeUpdate } from '../../workflows/messages.ts'
import { beginPace } from '../../workflows/run-pace.ts'
import { benchUnderTest, ordinals, sorted } from './bench-under-test.ts'
import { staged } from './fake-warehouse.ts'

const WITHIN = { timeout: 30_000, interval: 20 }

/** A run over a warehouse that behaves so, from its start to its report. */
async function ranOver(options: Parameters<typeof benchUnderTest>[0]) {
  const { warehouse, bench } = await benchUnderTest(options)
  const { handle, runId } = await bench.start()
  const report = await handle.result()
  return { warehouse, handle, runId, report }
}

test('each choice of coins is read to its end and frozen, one after the other, before the plan', async () => {
  const { warehouse, report } = await ranOver({
    slices: 2,
    universes: ['category:layer-1', 'all'],
    choose: ({ selector, tries }) =>
      selector === 'all' || tries === 2 ? {} : { isWhole: false, tries: tries + 1 },
  })
  expect(report).toMatchObject({ verdict: 'complete', fatal: null })
  expect(warehouse.choices).toEqual([
    'category:layer-1 with 0 tries',
    'category:layer-1 with 1 tries',
    'category:layer-1 with 2 tries',
    'category:layer-1 frozen',
    'all with 0 tries',
    'all frozen',
    'planned',
  ])
})

test('a choice that fails ends the run before anything is planned', async () => {
  const { warehouse, report } = await ranOver({
    slices: 2,
    universes: ['category:layer-1', 'all'],
    choose: () => ({
      isWhole: false,
      fatal: { code: 'CATEGORY_NOT_HEEDED', reason: 'no', hint: 'x', exitCode: 2 },
    }),
  })
  expect(report).toMatchObject({
    verdict: 'failed',
    fatal: { code: 'CATEGORY_NOT_HEEDED', exitCode: 2 },
  })
  expect(warehouse.choices).toEqual(['category:layer-1 with 0 tries'])
  expect(warehouse.asks).toEqual([])
})

test('a batch that was told to wait comes back, and its slices are dealt again after the time told', async () => {
  const WAIT_MS = 1_500
  let toldUntilMs = 0
  const { warehouse, handle, report } = await ranOver({
    // One batch: several leave the queue in any order.
    slices: 4,
    answer: ({ ordinal, before, atMs }) => {
      if (ordinal !== 3 || before > 0) return staged
      toldUntilMs = atMs + WAIT_MS
      return { kind: 'throttled', untilMs: toldUntilMs }
    },
  })
  expect(report).toMatchObject({ verdict: 'complete', calls: 5 })
  expect(warehouse.asks.map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 3, 3])
  for (const { atMs } of warehouse.asks.slice(4)) {
    expect(atMs).toBeGreaterThanOrEqual(toldUntilMs)
  }
  expect(memoProgress((await handle.describe()).memo)).toMatchObject({
    throttled: 1,
    slicesLoaded: 4,
  })
})

test('a slice that was left goes first in the next batch, not before its time, with what is known of it', async () => {
  const PAUSE_MS = 1_200
  let notBeforeMs = 0
  const { warehouse, report } = await ranOver({
    slices: 200,
    batches: 1,
    answer: ({ ordinal, before, atMs }) => {
      if (before > 0 || ordinal > 1) return staged
      if (ordinal === 0) return { kind: 'left', begun: { pages: 3 }, notBeforeMs: 0 }
      notBeforeMs = atMs + PAUSE_MS
      return { kind: 'left', begun: { tries: 1 }, notBeforeMs }
    },
  })
  expect(report).toMatchObject({ verdict: 'complete', calls: 202 })
  const [listing] = warehouse.asks.filter(({ ordinal, before }) => ordinal === 0 && before === 1)
  const [faulty] = warehouse.asks.filter(({ ordinal, before }) => ordinal === 1 && before === 1)
  expect(listing?.begun).toMatchObject({ pages: 3, attempt: 1 })
  const first = warehouse.asks.find(({ batch }) => batch === listing?.batch)
  expect(first?.ordinal).toBe(0)
  expect(faulty?.begun).toMatchObject({ tries: 1 })
  expect(faulty?.atMs).toBeGreaterThanOrEqual(notBeforeMs)
})

test('one slice that fails never stops its siblings', async () => {
  const { warehouse, report } = await ranOver({
    slices: 12,
    answer: ({ ordinal }) => {
      if (ordinal === 4) throw new SourceRequestError('unknown coin', { code: 'SOURCE_NOT_FOUND' })
      return staged
    },
  })
  expect(report).toMatchObject({ verdict: 'partial', fatal: null })
  expect(warehouse.failures).toEqual([
    { ordinal: 4, code: 'SOURCE_NOT_FOUND', reason: 'unknown coin' },
  ])
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(12).filter((i) => i !== 4))
  expect(warehouse.asks.filter(({ ordinal }) => ordinal === 4)).toHaveLength(1)
})

test('a refused key ends the run with exit code 4; what was fetched is loaded', async () => {
  const { warehouse, report } = await ranOver({
    slices: 4,
    answer: ({ ordinal }) => {
      if (ordinal >= 2) throw new SourceAuthError('the source refuses the key, HTTP 401')
      return staged
    },
  })
  expect(report.verdict).toBe('failed')
  expect(report.fatal).toMatchObject({ code: 'SOURCE_AUTH', exitCode: 4 })
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(2))
  expect(warehouse.ending).toEqual(['verify', 'publish', 'report'])
})

test('a publication that cannot be made fails the run, which has its report all the same', async () => {
  const full = new SinkError('the disk is full', { code: 'DISK_FULL', hint: 'Make room.' })
  const { warehouse, report } = await ranOver({
    slices: 2,
    onPublish: () => {
      throw full
    },
  })
  expect(report).toMatchObject({
    verdict: 'failed',
    fatal: { code: 'DISK_FULL', exitCode: 5, hint: 'Make room.' },
  })
  expect(warehouse.ending).toEqual(['verify', 'publish', 'report'])
})

test('a window whose run fails ends with the reason of the run alone', async () => {
  const { bench } = await benchUnderTest({
    slices: 2,
    answer: () => {
      throw new SourceAuthError('the source refuses the key, HTTP 401')
    },
  })
  const handle = await bench.startWindow('hourly')
  await expect(handle.result()).rejects.toMatchObject({
    cause: { type: 'SOURCE_AUTH', message: 'the source refuses the key, HTTP 401' },
  })
})

test('a load of large slices ends below two row groups of DuckDB', async () => {
  const { warehouse } = await ranOver({
    slices: 7,
    answer: () => ({ kind: 'staged', rows: 100_000 }),
  })
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(7))
  expect(Math.max(...warehouse.loads.map((load) => load.length))).toBe(2)
})

test('pause stops the asking and loads what is there; resume goes on to the end', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 60,
    answer: async () => {
      await sleep(50)
      return staged
    },
  })
  const { handle } = await it.start()
  await vi.waitFor(() => expect(warehouse.asks.length).toBeGreaterThan(5), WITHIN)
  expect(await handle.executeUpdate(pauseUpdate)).toMatchObject({ paused: true })
  await vi.waitFor(() => expect(warehouse.loads.flat().length).toBe(warehouse.asks.length), WITHIN)
  const asked = warehouse.asks.length
  await sleep(500)
  expect(warehouse.asks.length).toBe(asked)
  expect(asked).toBeLessThan(60)
  expect(memoProgress((await handle.describe()).memo)).toMatchObject({
    paused: true,
    phase: 'fetching',
  })
  expect(await handle.executeUpdate(resumeUpdate)).toMatchObject({ paused: false })
  expect(await handle.result()).toMatchObject({ verdict: 'complete', calls: 60 })
})

test('cancel ends the run in order: what is fetched is loaded, verified, published', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 200,
    answer: async () => {
      await sleep(30)
      return staged
    },
  })
  const { handle } = await it.start()
  await vi.waitFor(() => expect(warehouse.asks.length).toBeGreaterThan(5), WITHIN)
  expect(await handle.executeUpdate(cancelUpdate)).toMatchObject({ cancelled: true })
  const report = await handle.result()
  expect(report.verdict).toBe('cancelled')
  expect(warehouse.asks.length).toBeLessThan(100)
  expect(sorted(warehouse.loads.flat())).toEqual(sorted(warehouse.asks.map((ask) => ask.ordinal)))
  expect(warehouse.ending).toEqual(['verify', 'publish', 'report'])
})

test('a run goes on as a new one when its history is full, takes every slice once, and has one end', async () => {
  const SLICES = 90
  const { warehouse, bench: it } = await benchUnderTest({ slices: SLICES })
  const { handle, runId } = await it.start({ batchesPerHistory: 2 })
  const verdict = 'complete'
  expect(await handle.result()).toMatchObject({ runId, verdict, fatal: null, calls: SLICES })
  expect(warehouse.ending).toEqual(['verify', 'publish', 'report'])
  expect(sorted(warehouse.asks.map(({ ordinal }) => ordinal))).toEqual(ordinals(SLICES))
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(SLICES))
  expect(warehouse.choices).toEqual(['planned'])
  const statuses: string[] = []
  const runs = it.client.workflow.list({ query: `WorkflowId = "${it.workflowId}"` })
  for await (const { status } of runs) statuses.push(status.name)
  expect(statuses.filter((status) => status === 'CONTINUED_AS_NEW').length).toBeGreaterThan(1)
  const progress = memoProgress((await handle.describe()).memo)
  expect(progress).toMatchObject({
    runId,
    phase: 'publishing',
    slicesPlanned: SLICES,
    slicesLoaded: SLICES,
    pages: SLICES,
    rows: 10 * SLICES,
    calls: SLICES,
  })
})

test('a run that was cancelled before it went on as a new one asks for nothing more', async () => {
  const { warehouse, bench: it } = await benchUnderTest({ slices: 20 })
  const pace = beginPace({ atMs: Date.now(), pages: 0, calls: 0 })
  const before = { startedAtMs: Date.now(), plan: { slices: 20, pages: 20 }, done: noTotals, pace }
  const goesOn = { ...before, paused: false, cancelled: true, lostKeys: [] }
  const { handle } = await it.start({ goesOn })
  expect(await handle.result()).toMatchObject({ verdict: 'cancelled' })
  expect(warehouse.asks).toEqual([])
})

test('fetching goes on while a load holds the ledger', { timeout: 180_000 }, async () => {
  const SLICES = 1_000
  /** So many are asked for at most before the first load, with what is in flight half of all. */
  const ASKED_BEFORE_LOAD = 250
  const ASKED_DURING_LOAD = 50
  /** On a machine with other work 20 s were too few, once. */
  const PATIENCE_MS = 100_000
  const loading = Promise.withResolvers<void>()
  let askedBefore = 0
  let askedOn = false
  const { warehouse, bench: it } = await benchUnderTest({
    slices: SLICES,
    answer: async () => {
      if (warehouse.asks.length > ASKED_BEFORE_LOAD) await loading.promise
      return { kind: 'staged', rows: 1 }
    },
    onLoad: async () => {
      loading.resolve()
      if (askedBefore > 0) return
      askedBefore = warehouse.asks.length
      const untilMs = Date.now() + PATIENCE_MS
      while (!askedOn && Date.now() < untilMs) {
        askedOn = warehouse.asks.length >= askedBefore + ASKED_DURING_LOAD
        await sleep(5)
      }
    },
  })
  const { handle } = await it.start()
  expect(await handle.result()).toMatchObject({ verdict: 'complete', calls: SLICES, fatal: null })
  expect(askedOn).toBe(true)
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(SLICES))
})

test('no batch is dealt while more rows wait for their load than memory holds', async () => {
  const SLICES = 400
  /** Two slices of these fill a load. */
  const ROWS = 122_000
  const HELD_MS = 4_000
  /** The first eight batches, and a few. The ledger, which the load holds, would tell of 256. */
  const MOST = 200
  let askedDuringLoad = 0
  const { warehouse, bench: it } = await benchUnderTest({
    slices: SLICES,
    answer: () => ({ kind: 'staged', rows: ROWS }),
    onLoad: async () => {
      if (askedDuringLoad > 0) return
      const untilMs = Date.now() + HELD_MS
      while (warehouse.asks.length < MOST && Date.now() < untilMs) await sleep(20)
      askedDuringLoad = warehouse.asks.length
    },
  })
  const { handle } = await it.start()
  expect(await handle.result()).toMatchObject({ verdict: 'complete', calls: SLICES })
  expect(askedDuringLoad).toBeLessThan(MOST)
})

test('batches that are out count by the rows that slices had so far', async () => {
  const SLICES = 400
  /** Sixteen slices of these fill a load. */
  const ROWS = 15_360
  /** Two loads, and a batch of 32. Without the rows of batches that are out, eight batches would be dealt. */
  const MOST_AHEAD = 64
  let ahead = 0
  const { warehouse, bench: it } = await benchUnderTest({
    slices: SLICES,
    answer: () => {
      const loaded = warehouse.loads.flat().length
      // Nothing is known of the first batches.
      if (loaded >= SLICES / 2) ahead = Math.max(ahead, warehouse.asks.length - loaded)
      return { kind: 'staged', rows: ROWS }
    },
    onLoad: () => sleep(100),
  })
  const { handle } = await it.start()
  expect(await handle.result()).toMatchObject({ verdict: 'complete', calls: SLICES })
  expect(ahead).toBeGreaterThan(0)
  expect(ahead).toBeLessThanOrEqual(MOST_AHEAD)
})
