import { frozenClock } from '../../../config/clock.ts'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { openStore } from '../../../sinks/duckdb-store/open-store.ts'
import type { LakeSettings } from '../../../sinks/duckdb-store/lake-settings.ts'
import type { DuckdbStore } from '../../../sinks/duckdb-store/open-store.ts'
import { DATASETS, START_MS, TABLES } from './test-dataset.ts'

/** The store of the tests in a file, or in a lake. */
export async function openTestStore(
  file: string | LakeSettings,
  tables: readonly TableSpec[] = TABLES,
): Promise<DuckdbStore> {
  const clock = frozenClock(START_MS)
  return await openStore({ file, tables, datasets: DATASETS, coinlakeVersion: '1.2.3', clock })
}
