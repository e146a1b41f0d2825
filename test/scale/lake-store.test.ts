import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openTestStore } from '../sinks/duckdb-store/open-test-store.ts'
import { storeConformance } from '../sinks/duckdb-store/store-conformance.ts'
import type { StoreUnderTest } from '../sinks/duckdb-store/store-harness.ts'
import { s3OfFile } from './parts/minio.ts'
import { startPostgres } from './parts/postgres.ts'

const postgres = await startPostgres()
const s3 = await s3OfFile()
let lakes = 0

storeConformance('DuckLake, catalog in PostgreSQL, rows in S3', () => {
  const name = `lake_${lakes++}`
  return lakeUnderTest(() => ({
    catalog: postgres.makeCatalog(name),
    data: `s3://${s3.bucket}/${name}`,
  }))
})
storeConformance('DuckLake, catalog in PostgreSQL, rows in a folder', () =>
  lakeUnderTest((folder) => ({
    catalog: postgres.makeCatalog(`lake_${lakes++}`),
    data: join(folder, 'data'),
  })),
)
storeConformance('DuckLake, catalog in SQLite', () =>
  lakeUnderTest((folder) => ({
    catalog: `sqlite:${join(folder, 'catalog.sqlite')}`,
    data: join(folder, 'data'),
  })),
)

async function lakeUnderTest(
  placesIn: (folder: string) => { catalog: string; data: string },
): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'coinlake-scale-'))
  const lake = {
    ...placesIn(folder),
    extensionDir: inject('extensions'),
    tempDir: join(folder, 'tmp'),
  }
  let store = await openTestStore(lake)
  return {
    store,
    async reopen() {
      await store.close()
      store = await openTestStore(lake)
      return store
    },
    async dispose() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
