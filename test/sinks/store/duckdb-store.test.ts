import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { frozenClock } from '../../../config/clock.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import { storeConformance } from './store-conformance.ts'
import { DATASETS, START_MS, TABLES } from './test-dataset.ts'

storeConformance('DuckDB file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'coinlake-store-'))
  const open = async () =>
    await openStore({
      file: join(folder, 'state', 'store.duckdb'),
      tables: TABLES,
      datasets: DATASETS,
      coinlakeVersion: '1.2.3',
      clock: frozenClock(START_MS),
    })
  let store = await open()
  return {
    store,
    async reopen() {
      await store.close()
      store = await open()
      return store
    },
    async dispose() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
