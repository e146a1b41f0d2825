import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { askDelta, noDeltaReader, startDeltaReader } from '../sinks/publish/delta-reader.ts'
import { loadFullSet } from '../sinks/publish/full-sets.ts'
import { publicationOf } from '../sinks/publish/publication-of.ts'
import { orphansIn, readDeltaTable } from '../sinks/publish/read-delta.ts'
import { openSampleStore, sampleTables, storeRows } from '../sinks/publish/sample-store.ts'
import { tempDir } from '../parts/temp-dir.ts'

const PUBLISHES = 60
/** So many publications come while a reader looks once. */
const BESIDE_A_LOOK = 4
const LOOK_EVERY_MS = 5
/** Python's packages are installed once. */
const TIMEOUT_MS = 900_000

/** The files that a program which empties folders by the log would take: none, as long as our rules hold. */
const VACUUM = `
import deltalake, sys
print(deltalake.DeltaTable(sys.argv[1]).vacuum(dry_run=False))
`
/** A program that does as it likes: what it commits is taken back. */
const REWRITE = `
import deltalake, sys
table = deltalake.DeltaTable(sys.argv[1])
table.optimize.compact()
table.vacuum(retention_hours=0, enforce_retention_duration=False, dry_run=False)
`
const LOOK = `
import deltalake, sys
table = deltalake.DeltaTable(sys.argv[1])
about = table.metadata()
comments = [field.metadata["comment"] for field in table.schema().fields]
print(table.version(), table.protocol().min_reader_version, about.description == sys.argv[2], all(comments))
`

test(
  'readers by deltalake and polars see whole tables and one moment through 60 publications, checkpoints and a vacuum',
  async ({ skip }) => {
    const reason = noDeltaReader()
    if (reason !== null) skip(reason)
    const root = tempDir()
    const place = join(root, 'delta')
    const store = await openSampleStore(join(root, 'store.duckdb'))
    onTestFinished(() => store.close())
    const publication = publicationOf('delta', root, store.connection)
    const publish = async (): Promise<void> => {
      const run = { runId: 'run', publishedAtMs: Date.now(), coinlakeVersion: '0.1.0' }
      await publication.publish(run)
    }
    const expectEqualToStore = async (): Promise<void> => {
      for (const table of sampleTables) {
        const stored = await storeRows(store.connection, table)
        expect((await readDeltaTable(place, table)).toSorted()).toEqual(stored.toSorted())
      }
    }
    await loadFullSet(store, 1)
    await publish()
    const reader = startDeltaReader(place)
    for (let set = 2; set <= PUBLISHES; set++) {
      const before = reader.looks()
      if (set % BESIDE_A_LOOK === 0) {
        while (reader.looks() === before) await sleep(LOOK_EVERY_MS)
      }
      await loadFullSet(store, set)
      await publish()
      await expectEqualToStore()
      if (set === PUBLISHES / 2) {
        for (const { name } of sampleTables) expect(askDelta(VACUUM, join(place, name))).toBe('[]')
      }
    }
    const report = await reader.finish()
    expect(report).toMatchObject({ errors: [], partial: [] })
    expect(report.sets.at(-1)).toBe(PUBLISHES)
    expect(await orphansIn(place)).toEqual([])
    for (const { name, description } of sampleTables) {
      const said = `${PUBLISHES - 1} 1 True True`
      expect(askDelta(LOOK, join(place, name), description)).toBe(said)
      askDelta(REWRITE, join(place, name))
    }
    await publish()
    await expectEqualToStore()
    process.stderr.write(`${PUBLISHES} publications: ${report.reads} looks, 0 in part\n`)
  },
  TIMEOUT_MS,
)
