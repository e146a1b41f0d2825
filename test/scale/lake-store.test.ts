import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { openTestStore } from '../sinks/store/open-test-store.ts'
import { storeConformance } from '../sinks/store/store-conformance.ts'
import type { StoreUnderTest } from '../sinks/store/store-harness.ts'
import { startPostgres } from './parts/postgres.ts'
import type { TestPostgres } from './parts/postgres.ts'

let postgres: TestPostgres
let lakes = 0
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.remove())

storeConformance('DuckLake, catalog in PostgreSQL', () =>
  lakeUnderTest(() => postgres.makeCatalog(`lake_${lakes++}`)),
)
storeConformance('DuckLake, catalog in SQLite', () =>
  lakeUnderTest((folder) => `sqlite:${join(folder, 'catalog.sqlite')}`),
)

async function lakeUnderTest(makeCatalog: (folder: string) => string): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'coinlake-scale-'))
  const lake = {
    catalog: makeCatalog(folder),
    data: join(folder, 'data'),
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
