import type { Clock } from '../../config/clock.ts'
import type { LakePlace, WarehousePaths } from '../../config/warehouse-paths.ts'
import { datasets } from '../../datasets/index.ts'
import { openStore } from '../../sinks/duckdb-store/open-store.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import { isThere } from '../../sinks/is-there.ts'
import { coinlakeVersion } from '../version.ts'

/** The holder of a warehouse's rows: a DuckDB file, or a lake. */
export function storeOf({ lake, storeFile }: WarehousePaths): string | LakePlace {
  return lake ?? storeFile
}

/** The name of the store in messages. */
export function storeName({ lake, storeFile }: WarehousePaths): string {
  return lake?.catalog ?? storeFile
}

/**
 * Whether there is a store to look into. A lake is asked, not looked for: it is made when it is missing.
 *
 * @throws SinkError WAREHOUSE_UNREADABLE
 */
export function hasStore({ lake, storeFile }: WarehousePaths): boolean {
  return lake !== null || isThere(storeFile)
}

/** Opens a store with all datasets of this coinlake. @throws SinkError */
export function openStoreAt(file: string | LakePlace, clock: Clock): Promise<Store> {
  return openStore({ file, datasets, coinlakeVersion, clock })
}
