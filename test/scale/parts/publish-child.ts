// Publishes a lake into a bucket again and again, until standard input ends; then says how often that
// changed anything. Arguments: settings of the lake as JSON, the place, a folder of its own.
import type { LakeSettings } from '../../../sinks/duckdb-store/lake/lake-settings.ts'
import { createDeltaPublication } from '../../../sinks/publish-delta/delta-publication.ts'
import { openTestStore } from '../../sinks/duckdb-store/open-test-store.ts'
import { TABLES } from '../../sinks/duckdb-store/test-dataset.ts'

const [lake = '', place = '', scratchDir = ''] = process.argv.slice(2)
const store = await openTestStore(JSON.parse(lake) as LakeSettings)
const connection = await store.connect()
const publication = createDeltaPublication({
  connection,
  tables: TABLES,
  place,
  warehouse: 'lake',
  version: 'v2',
  scratchDir,
})
let isAsked = true
process.stdin.resume().once('end', () => (isAsked = false))
let changes = 0
for (let isLast = false; !isLast;) {
  isLast = !isAsked
  const run = { runId: 'child', publishedAtMs: Date.now(), coinlakeVersion: '1.2.3' }
  const { changed } = await publication.publish(run)
  if (changed) changes += 1
  console.log('published')
}
connection.closeSync()
await store.close()
console.log(JSON.stringify({ changes }))
