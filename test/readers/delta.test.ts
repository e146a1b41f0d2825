import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askDelta, noDeltaReader } from '../sinks/publish/delta-reader.ts'
import { publishBeside } from '../sinks/publish/publish-beside.ts'
import { orphansIn } from '../sinks/publish/read-delta.ts'
import { sampleTables } from '../sinks/publish/sample-store.ts'

const PUBLISHES = 60

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

test('readers by deltalake and polars see whole tables and one moment through 60 publications, checkpoints and a vacuum', async ({
  skip,
}) => {
  const reason = noDeltaReader('python')
  if (reason !== null) skip(reason)
  const beside = {
    publishes: PUBLISHES,
    perLook: 4,
    halfway(place: string) {
      for (const { name } of sampleTables) expect(askDelta(VACUUM, join(place, name))).toBe('[]')
    },
  }
  const { place, publish, expectEqualToStore } = await publishBeside('python', beside)
  expect(await orphansIn(place)).toEqual([])
  for (const { name, description } of sampleTables) {
    const said = `${PUBLISHES - 1} 1 True True`
    expect(askDelta(LOOK, join(place, name), description)).toBe(said)
    askDelta(REWRITE, join(place, name))
  }
  await publish()
  await expectEqualToStore()
})
