import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { pythonWith } from '../../../bench/python-venv.ts'
import { median } from '../../../bench/median.ts'
import type { Publication } from '../../../sinks/publication.ts'
import { FILE_SQL, loadFullSet, type ReaderReport, treeSql } from './full-sets.ts'
import { publicationOf } from './publication-of.ts'
import { openSample, RUN } from './sample-publication.ts'
import type { SampleStore } from './sample-store.ts'
import { type Loop, startLoop } from './start-loop.ts'

const isBig = process.env['COINLAKE_TEST_BIG'] !== undefined
const PUBLISHES = isBig ? 200 : 15
const PYTHON = ['duckdb==1.5.5', 'polars==2.1.0', 'pyarrow==26.0.1', 'pytz==2025.2']
const TIMEOUT_MS = isBig ? 3_600_000 : 240_000

let root = ''
let store: SampleStore
let publications: Publication[]

beforeEach(async () => {
  const sample = await openSample('duckdb')
  ;({ root, store } = sample)
  publications = [sample.publication, publicationOf('parquet', root, store.connection)]
})

async function publish(): Promise<void> {
  const run = { ...RUN, publishedAtMs: Date.now() }
  for (const publication of publications) await publication.publish(run)
}

/**
 * Readers of the file and of versions of the tree; in the large test those of Python, too, and those
 * who go through the tree's link.
 */
function startReaders(): Map<string, Loop<ReaderReport>> {
  const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
  const readers = new Map<string, Loop<ReaderReport>>()
  for (const kind of ['link', 'open', 'resolved', ...(isBig ? ['glob', 'all'] : [])]) {
    readers.set(kind, startLoop(process.execPath, [here('loop-reader-child.ts'), kind, root]))
  }
  if (!isBig) return readers
  const venv = pythonWith(PYTHON)
  if (typeof venv === 'string') throw new Error(venv)
  const trees = ['duckdb', 'polars', 'pyarrow'].flatMap((tool) => [tool, `${tool} glob`])
  for (const kind of ['link', ...trees]) {
    const sql = kind === 'link' ? FILE_SQL : treeSql('<tree>')
    const args = [here('loop_reader.py'), kind, root, sql]
    readers.set(`python ${kind}`, startLoop(venv.python, args))
  }
  return readers
}

test(
  `readers meet no error and no partial publication while ${PUBLISHES} are made`,
  { timeout: TIMEOUT_MS },
  async () => {
    await loadFullSet(store, 1)
    await publish()
    const readers = startReaders()
    await Promise.all([...readers.values()].map(({ atWork }) => atWork))
    const publishedMs = new Map<number, number>()
    for (let number = 2; number <= PUBLISHES + 1; number += 1) {
      await loadFullSet(store, number)
      await publish()
      publishedMs.set(number, Date.now())
    }
    for (const [name, reader] of readers) {
      const { reads, errors, partial, firstSeenMs } = await reader.finish()
      const staleMs = [...publishedMs].flatMap(([number, atMs]) => {
        const seenMs = firstSeenMs[number]
        return seenMs === undefined ? [] : [Math.max(0, seenMs - atMs)]
      })
      const stale =
        staleMs.length === 0
          ? 'sees what it opened'
          : `stale by ${median(staleMs).toFixed(0)} ms (median), ${Math.max(...staleMs)} ms at most`
      const faults = `${errors.length} errors, ${partial.length} partial`
      console.log(`${name}: ${reads} looks, ${faults}, ${staleMs.length} seen, ${stale}`)
      // Readers that go through the moving link are promised nothing; their figures are for the docs.
      if (name.endsWith('glob') || name === 'all') {
        console.log([...new Set(errors)].slice(0, 3).join('\n'))
        continue
      }
      expect({ name, errors, partial }).toEqual({ name, errors: [], partial: [] })
      const last = name === 'open' ? 1 : PUBLISHES + 1
      expect(firstSeenMs[last], name).toBeDefined()
    }
  },
)
