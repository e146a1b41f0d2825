import { join } from 'node:path'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { frozenClock } from '../../config/clock.ts'
import type { LakeSettings } from '../../sinks/duckdb-store/lake/lake-settings.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import { s3Files } from '../../stage/s3-files.ts'
import { hours, memoryStage, ticksRows } from '../sinks/duckdb-store/memory-stage.ts'
import { openTestStore } from '../sinks/duckdb-store/open-test-store.ts'
import { storeHarness } from '../sinks/duckdb-store/store-harness.ts'
import { DATASETS, LATE_MS, START_MS, ticksSlice } from '../sinks/duckdb-store/test-dataset.ts'
import { runChild } from '../sinks/publish/run-child.ts'
import { s3OfFile } from './parts/minio.ts'
import { startPostgres } from './parts/postgres.ts'
import { tempDir } from '../parts/temp-dir.ts'

const postgres = await startPostgres()
const s3 = await s3OfFile()
const folder = tempDir(afterAll)
let lakes = 0

function newLake(): LakeSettings {
  const name = `faults_${lakes++}`
  return {
    catalog: postgres.makeCatalog(name),
    data: `s3://${s3.bucket}/${name}`,
    extensionDir: inject('extensions'),
    tempDir: join(folder, 'tmp'),
  }
}

test('workers that begin a lake at the same moment all have it', async () => {
  const facts = { datasets: DATASETS, coinlakeVersion: '1.2.3', clock: frozenClock(START_MS) }
  const lake = newLake()
  const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ file: lake, ...facts })))
  await Promise.all(stores.map((store) => store.close()))
})

/** A load in the middle of which something happens, and the same load again once it is over. */
async function loadThrough(
  happens: () => Promise<void>,
  isOver: () => Promise<void>,
): Promise<{ error: unknown; rows: string[] }> {
  const store = await openTestStore(newLake())
  onTestFinished(() => store.close())
  const { plan, ticks } = storeHarness(store)
  const slice = ticksSlice(0, 100)
  const runId = await plan(slice)
  const pages = memoryStage()
  pages.put({ slice, fetchedAtMs: LATE_MS, columns: ticksRows(hours(0, 100)) })
  let isQuiet = true
  const stage: typeof pages = {
    ...pages,
    async readTable(page, table) {
      if (isQuiet) await happens()
      isQuiet = false
      return await pages.readTable(page, table)
    },
  }
  const load = () => store.load({ runId, ordinals: [0], nowMs: LATE_MS }, stage)
  const error: unknown = await load().then(
    () => null,
    (fault: unknown) => fault,
  )
  await isOver()
  expect(await load()).toMatchObject({ slices: 1, rowsInserted: 100 })
  expect(await load()).toMatchObject({ slices: 0, rowsInserted: 0 })
  return { error, rows: await ticks() }
}

const WHOLE = hours(0, 100).map((hour) => `${hour}=${hour + 0.1}`)

test('the catalog goes in the middle of a load: told, and the same load again is whole', async () => {
  const { error, rows } = await loadThrough(
    () => postgres.kill(),
    () => postgres.start(),
  )
  expect(error).toMatchObject({
    code: 'STORE_CATALOG_UNREACHABLE',
    exitCode: 5,
    retryable: true,
    message: expect.stringMatching(/^cannot \w+ .*postgres:dbname=faults_/),
  })
  expect(rows).toEqual(WHOLE)
})

test('the credentials of S3 expire in the middle of a load: told, and nothing is lost', async () => {
  const { error, rows } = await loadThrough(
    async () => {
      await s3.kill()
      await s3.start('another-secret-of-the-test')
    },
    async () => {
      await s3.kill()
      await s3.start()
    },
  )
  expect(error).toMatchObject({ code: 'STORE_S3_DENIED', exitCode: 5, retryable: true })
  const shown = JSON.stringify(error, Object.getOwnPropertyNames(error))
  expect(shown).not.toContain(s3.env['AWS_SECRET_ACCESS_KEY'])
  expect(rows).toEqual(WHOLE)
})

test('half an upload does not count: a loader is killed with its rows in the bucket', async () => {
  const lake = newLake()
  const [child, size] = ['../duckdb-store/load-child.ts', [JSON.stringify(lake), '2', '500']]
  const env = { COINLAKE_CRASH_AT: 'load.rows.after', COINLAKE_CRASH_LOG: join(folder, 'crash') }
  expect(await runChild(child, size, env)).toMatchObject({ signal: 'SIGKILL' })
  const objects = await s3Files(lake.data).list('main/ticks/')
  expect(objects.length).toBeGreaterThan(0)

  const count = async () => {
    const store = await openTestStore(lake)
    const rows = await store.query(
      'SELECT count(*) AS n, count(DISTINCT (coin_id, ts)) AS k FROM ticks',
    )
    await store.close()
    return rows
  }
  expect(await count()).toEqual([{ n: 0, k: 0 }])
  expect(JSON.parse((await runChild(child, size)).stdout)).toMatchObject({ slices: 2 })
  expect(await count()).toEqual([{ n: 1_000, k: 1_000 }])
})
