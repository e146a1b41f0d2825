import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type DeltaEngine, startDeltaReader } from './delta-reader.ts'
import { loadFullSet } from './full-sets.ts'
import { readDeltaTable } from './read-delta.ts'
import { expectStored, openSample, RUN } from './sample-publication.ts'

const LOOK_EVERY_MS = 5

interface Beside {
  publishes: number
  /** So many publications come while the reader looks once. */
  perLook: number
  /** Some other program, half of the way. */
  halfway: (place: string) => void
}

/** Delta tables that were published while a reader looked. */
export interface PublishedBeside {
  place: string
  publish: () => Promise<void>
  expectEqualToStore: () => Promise<unknown>
}

/** Publishes Delta tables beside a reader of an engine, each time equal to the store, and expects it to see whole moments only. */
export async function publishBeside(
  engine: DeltaEngine,
  { publishes, perLook, halfway }: Beside,
): Promise<PublishedBeside> {
  const { root, store, publication } = await openSample('delta')
  const place = join(root, 'delta')
  const publish = async (): Promise<void> => {
    await publication.publish({ ...RUN, publishedAtMs: Date.now() })
  }
  const expectEqualToStore = () => expectStored(store, (table) => readDeltaTable(place, table))
  await loadFullSet(store, 1)
  await publish()
  const reader = startDeltaReader(place, {}, engine)
  for (let set = 2; set <= publishes; set++) {
    const before = reader.lines()
    if (set % perLook === 0) {
      while (reader.lines() === before) await sleep(LOOK_EVERY_MS)
    }
    await loadFullSet(store, set)
    await publish()
    await expectEqualToStore()
    if (set === publishes / 2) halfway(place)
  }
  const report = await reader.finish()
  expect(report).toMatchObject({ errors: [], partial: [] })
  expect(report.sets.at(-1)).toBe(publishes)
  process.stderr.write(
    `${publishes} publications: ${report.reads} looks by ${engine} at ${report.sets.length} of them, 0 in part\n`,
  )
  return { place, publish, expectEqualToStore }
}
