import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestStore } from './open-test-store.ts'
import { storeConformance } from './store-conformance.ts'

storeConformance('DuckDB file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinlake-store-'))
  const file = join(folder, 'state', 'store.duckdb')
  let store = await openTestStore(file)
  return {
    store,
    async reopen() {
      await store.close()
      store = await openTestStore(file)
      return store
    },
    async dispose() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
