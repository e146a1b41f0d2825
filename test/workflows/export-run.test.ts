import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { SourceAuthError, SourceRequestError, SourceUnavailableError } from '../../api/errors.ts'
import { ConfigError } from '../../config/config-error.ts'
import { cancelUpdate, pauseUpdate, progressQuery, resumeUpdate } from '../../workflows/messages.ts'
import { benchUnderTest, ordinals, sorted } from './bench-under-test.ts'
import { page } from './fake-warehouse.ts'

const WITHIN = { timeout: 30_000, interval: 20 }

test('every slice is fetched once and loaded once, then the run is verified, published, reported', async () => {
  const { warehouse, bench: it } = await benchUnderTest({ slices: 30 })
  const { handle } = await it.start()
  const report = await handle.result()
  expect(report).toMatchObject({ verdict: 'complete', fatal: null, calls: 30 })
  expect(sorted(warehouse.asks.map(({ ordinal }) => ordinal))).toEqual(ordinals(30))
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(30))
  expect(warehouse.ending).toEqual(['verify', 'publish', 'report'])
})

test('each choice of coins is read to its end and frozen, one after the other, before the plan', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 2,
    universes: ['category:layer-1', 'all'],
    choose: ({ selector, page: number }) =>
      selector === 'all' || number === 3 ? page() : page({ step: 0, page: number + 1 }),
  })
  const { handle } = await it.start()
  expect(await handle.result()).toMatchObject({ verdict: 'complete', fatal: null })
  expect(warehouse.choices).toEqual([
    'category:layer-1 page 1',
    'category:layer-1 page 2',
    'category:layer-1 page 3',
    'category:layer-1 frozen',
    'all page 1',
    'all frozen',
    'planned',
  ])
})

test('a choice that fails ends the run before anything is planned', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 2,
    universes: ['category:layer-1', 'all'],
    choose: () => {
      throw new ConfigError('no category is heeded', { code: 'CATEGORY_NOT_HEEDED', hint: 'x' })
    },
  })
  const { handle } = await it.start()
  expect(await handle.result()).toMatchObject({
    verdict: 'failed',
    fatal: { code: 'CATEGORY_NOT_HEEDED', exitCode: 2 },
  })
  expect(warehouse.choices).toEqual(['category:layer-1 page 1'])
  expect(warehouse.asks).toEqual([])
})

test('a throttled page is asked for again after the time told, and spends no attempt', async () => {
  const WAIT_MS = 1_500
  const toldUntilMs = new Map<number, number>()
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 6,
    answer: ({ ordinal, before, atMs }) => {
      if (ordinal % 3 !== 0 || before > 0) return page()
      toldUntilMs.set(ordinal, atMs + WAIT_MS)
      return { kind: 'throttled', throttledUntilMs: atMs + WAIT_MS, calls: 1 }
    },
  })
  const { handle } = await it.start()
  expect(await handle.result()).toMatchObject({ verdict: 'complete', calls: 8 })
  const again = warehouse.asks.filter(({ before }) => before > 0)
  expect(sorted(again.map(({ ordinal }) => ordinal))).toEqual([0, 3])
  for (const { ordinal, atMs } of again) {
    expect(atMs).toBeGreaterThanOrEqual(toldUntilMs.get(ordinal) ?? Infinity)
  }
  expect(warehouse.asks.map(({ attempt }) => attempt)).toEqual(warehouse.asks.map(() => 1))
})

test('one slice that fails never stops its siblings', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 12,
    answer: ({ ordinal }) => {
      if (ordinal === 4) throw new SourceRequestError('unknown coin', { code: 'SOURCE_NOT_FOUND' })
      return page()
    },
  })
  const { handle } = await it.start()
  expect(await handle.result()).toMatchObject({ verdict: 'partial', fatal: null })
  expect(warehouse.failures).toEqual([
    { ordinal: 4, code: 'SOURCE_NOT_FOUND', reason: 'unknown coin' },
  ])
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(12).filter((i) => i !== 4))
  expect(warehouse.asks.filter(({ ordinal }) => ordinal === 4)).toHaveLength(1)
})

test('a source in trouble is asked again by Temporal, as another attempt', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 3,
    answer: ({ ordinal, attempt }) => {
      if (ordinal === 1 && attempt < 3) throw new SourceUnavailableError('HTTP 503')
      return page()
    },
  })
  const { handle } = await it.start()
  expect(await handle.result()).toMatchObject({ verdict: 'complete', calls: 5 })
  const asked = warehouse.asks.filter(({ ordinal }) => ordinal === 1)
  expect(asked.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
})

test('a refused key ends the run with exit code 4; what was fetched is loaded', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 40,
    answer: ({ ordinal }) => {
      if (ordinal >= 10) throw new SourceAuthError('the source refuses the key, HTTP 401')
      return page()
    },
  })
  const { handle } = await it.start()
  const report = await handle.result()
  expect(report.verdict).toBe('failed')
  expect(report.fatal).toMatchObject({ code: 'SOURCE_AUTH', exitCode: 4 })
  expect(warehouse.asks.length).toBeLessThan(20)
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(10))
  expect(warehouse.ending).toEqual(['verify', 'publish', 'report'])
})

test('a run that is stopped before it brought anything in leaves the publications alone', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 3,
    answer: () => {
      throw new SourceAuthError('the source refuses the key, HTTP 401')
    },
  })
  const { handle } = await it.start()
  const { verdict, fatal, publications } = await handle.result()
  expect({ verdict, publications }).toEqual({ verdict: 'failed', publications: [] })
  expect(fatal?.hint).toContain('Set source.api_key')
  expect(warehouse.ending).toEqual(['verify', 'report'])
})

test('pause stops the asking and loads what is there; resume goes on to the end', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 60,
    answer: async () => {
      await sleep(50)
      return page()
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
  expect(await handle.query(progressQuery)).toMatchObject({ paused: true, phase: 'fetching' })
  expect(await handle.executeUpdate(resumeUpdate)).toMatchObject({ paused: false })
  expect(await handle.result()).toMatchObject({ verdict: 'complete', calls: 60 })
})

test('cancel ends the run in order: what is fetched is loaded, verified, published', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 200,
    answer: async () => {
      await sleep(30)
      return page()
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

test('progress adds up over the lanes', async () => {
  const { bench: it } = await benchUnderTest({ slices: 120 })
  const { handle, runId } = await it.start()
  await handle.result()
  expect(await handle.query(progressQuery)).toMatchObject({
    runId,
    phase: 'done',
    slicesPlanned: 120,
    slicesLoaded: 120,
    rows: 1200,
    calls: 120,
  })
})
