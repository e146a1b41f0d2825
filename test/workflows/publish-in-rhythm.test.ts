import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SinkError } from '../../sinks/sink-error.ts'
import { benchUnderTest } from './bench-under-test.ts'
import { staged } from './fake-warehouse.ts'

/** The server's timers are late by up to a second, however short. */
const SEVERAL_TIMERS_MS = 2_500
/** So many light slices are a load. */
const A_LOAD = 25

/** A run that does not end before its readers have been shown so many publications. */
function shownTimes(times: number, onPublish: (shown: number) => void = () => undefined) {
  const enough = Promise.withResolvers<void>()
  let shown = 0
  return {
    slices: 4 * A_LOAD,
    publishEveryMs: 50,
    answer: async ({ ordinal }: { ordinal: number }) => {
      // One batch waits, whichever order they leave the queue in; the others are loaded.
      if (ordinal === 0) await enough.promise
      return staged
    },
    onPublish: (isLast: boolean) => {
      if (isLast) return
      shown += 1
      if (shown === times) enough.resolve()
      onPublish(shown)
    },
  }
}

test('readers are shown what is loaded while a run goes on, and again at its end', async () => {
  const { warehouse, bench: it } = await benchUnderTest(shownTimes(1))
  const { handle } = await it.start()
  expect(await handle.result()).toMatchObject({ verdict: 'complete', fatal: null })
  expect(warehouse.ending[0]).toBe('publish what is there')
  expect(warehouse.ending.slice(-3)).toEqual(['verify', 'publish', 'report'])
})

test('a publication that fails on the way is tried again and ends nothing', async () => {
  const full = new SinkError('the disk is full', { code: 'DISK_FULL', hint: 'Make room.' })
  const { warehouse, bench: it } = await benchUnderTest(
    shownTimes(2, (shown) => {
      if (shown === 1) throw full
    }),
  )
  const { handle } = await it.start()
  expect(await handle.result()).toMatchObject({ verdict: 'complete', fatal: null })
  expect(warehouse.ending.slice(0, 2)).toEqual(['publish what is there', 'publish what is there'])
  expect(warehouse.ending.slice(-3)).toEqual(['verify', 'publish', 'report'])
})

test('nothing is published before anything is loaded', async () => {
  let isAsked = false
  let publishedBefore: string[] | null = null
  const { warehouse, bench: it } = await benchUnderTest({
    slices: 2,
    publishEveryMs: 20,
    answer: async () => {
      isAsked = true
      await sleep(SEVERAL_TIMERS_MS)
      return staged
    },
    onLoad: async () => {
      publishedBefore ??= [...warehouse.ending]
    },
  })
  const { handle } = await it.start()
  await handle.result()
  expect(isAsked).toBe(true)
  expect(publishedBefore).toEqual([])
  // On a busy machine a timer fires between the load and the end.
  expect(warehouse.ending.slice(-3)).toEqual(['verify', 'publish', 'report'])
})
