import { frozenClock } from '../../../config/clock.ts'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { openStore, type Store } from '../../../sinks/duckdb-store/open-store.ts'
import type { LakeSettings } from '../../../sinks/duckdb-store/lake/lake-settings.ts'
import { makeTables } from '../../parts/make-tables.ts'
import { DATASETS, daySlice, START_MS, TABLES, ticksSlice } from './test-dataset.ts'

/** The store of the tests in a file, or in a lake, with all tables: tests look into some that they plan nothing for. */
export async function openTestStore(
  file: string | LakeSettings,
  tables: readonly TableSpec[] = TABLES,
): Promise<Store> {
  const clock = frozenClock(START_MS)
  const datasets = DATASETS.map((one) => {
    const names = one.tables.map(({ name }) => name)
    return { ...one, tables: tables.filter(({ name }) => names.includes(name)) }
  })
  const store = await openStore({ file, datasets, coinlakeVersion: '1.2.3', clock })
  const connection = await store.connect()
  await makeTables(connection, tables)
  connection.closeSync()
  return store
}

/** Plans a slice of each dataset, so that its tables stay when the store is opened again. */
export async function planEach(store: Store): Promise<void> {
  const run = { runId: 'each', orderId: 'each', startedAtMs: START_MS, coinlakeVersion: '1.2.3' }
  await store.writePlan(run, [ticksSlice(500, 501), daySlice('spots'), daySlice('names')])
}
