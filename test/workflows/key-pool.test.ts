import { expect, test } from 'vitest'
import { SourceAuthError, SourceUnavailableError } from '../../api/errors.ts'
import { benchUnderTest, ordinals, sorted } from './bench-under-test.ts'
import { page, spentMonth } from './fake-warehouse.ts'

const SLICES = 40
const refused = (): SourceAuthError => new SourceAuthError('the source refuses the key, HTTP 401')

test('pages are spread over the keys', async () => {
  const { warehouse, bench: it } = await benchUnderTest({ slices: SLICES, keys: 3 })
  const lane = await it.startLane({})
  expect(await lane.result()).toMatchObject({ slicesLoaded: SLICES, lostKeys: [] })
  for (const key of [0, 1, 2]) {
    const share = warehouse.asks.filter((ask) => ask.key === key).length
    expect(share).toBeGreaterThan(SLICES / 6)
  }
})

test('a key that is told to wait is left out, and its page is fetched with another at once', async () => {
  const WAIT_MS = 3_600_000
  const { warehouse, bench: it } = await benchUnderTest({
    slices: SLICES,
    keys: 2,
    answer: ({ key, atMs }) =>
      key === 0 ? { kind: 'throttled', throttledUntilMs: atMs + WAIT_MS, calls: 1 } : page(),
  })
  const lane = await it.startLane({})
  const result = await lane.result()
  const asked = warehouse.asks.filter(({ key }) => key === 0).length
  expect(asked).toBeLessThanOrEqual(2)
  expect(result).toMatchObject({ slicesLoaded: SLICES, calls: SLICES + asked, fatal: null })
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(SLICES))
})

test('keys that are refused or used up are lost one by one; the run ends with the last', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: SLICES,
    keys: 3,
    answer: ({ key, ordinal }) => {
      if (key === 0) throw refused()
      if (key === 1 && ordinal >= 10) throw spentMonth()
      if (key === 2 && ordinal >= 20) throw spentMonth()
      return page()
    },
  })
  const lane = await it.startLane({})
  const result = await lane.result()
  expect(result.lostKeys.map(({ keyId, code }) => [keyId, code])).toEqual([
    ['key-0', 'SOURCE_AUTH'],
    ['key-1', 'MONTH_SPENT'],
    ['key-2', 'MONTH_SPENT'],
  ])
  expect(result).toMatchObject({
    slicesFailed: 0,
    fatal: { code: 'MONTH_SPENT', exitCode: 3, untilMs: Date.UTC(2100, 0, 1) },
  })
  expect(result.fatal?.reason).toMatch(/^none of the 3 keys can be used: the source refuses/)
  expect(sorted(warehouse.loads.flat())).toEqual(ordinals(20))
})

test('a lane that goes on as a new run does not try lost keys again', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: SLICES,
    keys: 2,
    answer: ({ key }) => {
      if (key === 0) throw refused()
      return page()
    },
  })
  const lane = await it.startLane({ slicesPerHistory: 10 })
  expect(await lane.result()).toMatchObject({ slicesLoaded: SLICES, fatal: null })
  expect(warehouse.asks.filter(({ key }) => key === 0).length).toBeLessThanOrEqual(2)
})

test('a fault of the service is no fault of a key', async () => {
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 4,
    keys: 2,
    answer: ({ ordinal, attempt }) => {
      if (ordinal === 1 && attempt < 3) throw new SourceUnavailableError('HTTP 503')
      return page()
    },
  })
  const lane = await it.startLane({})
  expect(await lane.result()).toMatchObject({ slicesLoaded: 4, lostKeys: [], fatal: null })
  expect(
    new Set(warehouse.asks.filter(({ ordinal }) => ordinal === 1).map(({ key }) => key)).size,
  ).toBe(1)
})
