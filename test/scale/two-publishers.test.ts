import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { DuckDBConnection } from '@duckdb/node-api'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import type { LakeSettings } from '../../sinks/duckdb-store/lake/lake-settings.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import type { Publication } from '../../sinks/publication.ts'
import type { DeltaManifest } from '../../sinks/publish-delta/delta-manifest.ts'
import { createDeltaPublication } from '../../sinks/publish-delta/delta-publication.ts'
import { hours, ticksRows } from '../sinks/duckdb-store/memory-stage.ts'
import { openTestStore, planEach } from '../sinks/duckdb-store/open-test-store.ts'
import { storeHarness } from '../sinks/duckdb-store/store-harness.ts'
import { LATE_MS, TABLES, ticksSlice } from '../sinks/duckdb-store/test-dataset.ts'
import { beforeCopy } from './parts/before-copy.ts'
import { manifestOf, orphansIn, readDeltaTable } from '../sinks/publish/read-delta.ts'
import { type Loop, startLoop } from '../sinks/publish/start-loop.ts'
import { s3OfFile } from './parts/minio.ts'
import { startPostgres } from './parts/postgres.ts'
import { tempDir } from '../parts/temp-dir.ts'

const RUN = { runId: 'run', publishedAtMs: LATE_MS, coinlakeVersion: '1.2.3' }
/** From the last day of January into February: every load changes both months. */
const ROWS = 40
const LOADS = 12
const LOOK_EVERY_MS = 10
const TICKS = TABLES[0]!

const postgres = await startPostgres()
const s3 = await s3OfFile()
const folder = tempDir(afterAll)
let lakes = 0

function newLake(): { lake: LakeSettings; place: string } {
  const name = `published_${lakes++}`
  const lake = {
    catalog: postgres.makeCatalog(name),
    data: `s3://${s3.bucket}/${name}`,
    extensionDir: inject('extensions'),
    tempDir: join(folder, 'tmp'),
  }
  return { lake, place: `s3://${s3.bucket}/${name}-tree` }
}

async function openWorker(lake: LakeSettings): Promise<{
  store: Store
  connection: DuckDBConnection
}> {
  const store = await openTestStore(lake)
  const connection = await store.connect()
  onTestFinished(async () => {
    connection.closeSync()
    await store.close()
  })
  return { store, connection }
}

function publicationInto(place: string, connection: DuckDBConnection, name: string): Publication {
  const scratchDir = join(folder, name)
  return createDeltaPublication({
    connection,
    tables: TABLES,
    place,
    warehouse: 'lake',
    version: 'v2',
    scratchDir,
  })
}

/** Loads that each bring one coin. */
function loaderOf(store: Store): () => Promise<void> {
  const { loadOne } = storeHarness(store)
  let coins = 0
  return async () => {
    const coinId = `coin-${coins++}`
    const columns = ticksRows(hours(0, ROWS), undefined, { coin_id: { constant: coinId } })
    await loadOne({ slice: ticksSlice(0, ROWS, coinId), fetchedAtMs: LATE_MS, columns })
  }
}

const rowsIn = ({ files }: DeltaManifest): number => files.reduce((sum, { rows }) => sum + rows, 0)

test('a publisher that is overtaken leaves the newer version and nothing of its own', async () => {
  const { lake, place } = newLake()
  const [slow, fast] = [await openWorker(lake), await openWorker(lake)]
  const load = loaderOf(slow.store)
  await load()
  const ahead = publicationInto(place, fast.connection, 'fast')
  const connection = beforeCopy(slow.connection, async () => {
    await load()
    expect(await ahead.publish(RUN)).toMatchObject({ changed: true, rows: 2 * ROWS })
  })
  const behind = await publicationInto(place, connection, 'slow').publish(RUN)
  // The slow publisher has looked again, and all files were there.
  expect(behind).toMatchObject({ changed: false, rows: 2 * ROWS })
  expect((await manifestOf(place)).version).toBe(1)
  expect(await readDeltaTable(place, TICKS)).toHaveLength(2 * ROWS)
  expect(await orphansIn(place)).toEqual([])
})

/** Its report says how often it has changed anything. */
function startPublisher(
  lake: LakeSettings,
  place: string,
  name: string,
): Loop<{ changes: number }> {
  const script = fileURLToPath(new URL('parts/publish-child.ts', import.meta.url))
  const args = [script, JSON.stringify(lake), place, join(folder, name)]
  return startLoop(process.execPath, args, s3.env)
}

test('two processes publish at once, while it is loaded: whole versions, none older than one before', async () => {
  const { lake, place } = newLake()
  const { store } = await openWorker(lake)
  // Else each publisher takes away, as it opens the lake, tables that nobody has planned, and makes them again.
  await planEach(store)
  const load = loaderOf(store)
  await load()
  const publishers = ['one', 'other'].map((name) => startPublisher(lake, place, name))
  onTestFinished(() => {
    for (const { child } of publishers) child.kill('SIGKILL')
  })
  await Promise.all(publishers.map(({ atWork }) => atWork))
  const seen = new Map<number, DeltaManifest>()
  const loading = (async () => {
    for (let count = 1; count < LOADS; count++) await load()
  })()
  const done = { isLoaded: false }
  void loading.finally(() => (done.isLoaded = true)).catch(() => undefined)
  while (!done.isLoaded) {
    const manifest = await manifestOf(place)
    seen.set(manifest.version, manifest)
    await sleep(LOOK_EVERY_MS)
  }
  await loading
  const reports = await Promise.all(publishers.map((publisher) => publisher.finish()))
  const changes = reports.map((report) => report.changes)

  const last = await manifestOf(place)
  const versions = [...seen.values(), last]
  expect(versions.length).toBeGreaterThan(2)
  for (const manifest of versions) expect(rowsIn(manifest) % ROWS).toBe(0)
  const counts = versions.map(rowsIn)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  // Each change is a version, so none was written over another's.
  expect(changes.reduce((sum, count) => sum + count, 0)).toBe(last.version)
  expect(rowsIn(last)).toBe(LOADS * ROWS)
  expect(await readDeltaTable(place, TICKS)).toHaveLength(LOADS * ROWS)
  expect(await orphansIn(place)).toEqual([])
  process.stderr.write(`${changes.join(' and ')} versions by two publishers\n`)
})
