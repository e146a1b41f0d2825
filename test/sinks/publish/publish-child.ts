// Publishes a sample store in a process of its own, so that a test can kill it at a crash point.
import { type PublicationKind, publicationOf } from './publication-of.ts'
import { openSampleStore } from './sample-store.ts'

const [kind, root] = process.argv.slice(2) as [PublicationKind, string]
const store = await openSampleStore(`${root}/store.duckdb`)
const report = await publicationOf(kind, root, store.connection).publish({
  runId: 'child-run',
  publishedAtMs: Date.now(),
  coinlakeVersion: '0.1.0',
})
store.close()
console.log(JSON.stringify(report))
