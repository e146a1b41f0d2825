import { existsSync } from 'node:fs'
import type { LakePlace, WarehousePaths } from '../../config/warehouse-paths.ts'

/** The holder of a warehouse's rows: a DuckDB file, or a lake. */
export function storeOf({ lake, storeFile }: WarehousePaths): string | LakePlace {
  return lake ?? storeFile
}

/** The name of the store in messages. */
export function storeName({ lake, storeFile }: WarehousePaths): string {
  return lake?.catalog ?? storeFile
}

/** Whether there is a store to look into. A lake is asked, not looked for: it is made when it is missing. */
export function hasStore({ lake, storeFile }: WarehousePaths): boolean {
  return lake !== null || existsSync(storeFile)
}
