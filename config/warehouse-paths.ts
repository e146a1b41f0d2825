import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** Where everything of a warehouse lives; absolute paths. */
export interface WarehousePaths {
  root: string
  /** The symlink readers open. */
  duckdbLink: string
  /** The versioned files the symlink points to. */
  duckdbDir: string
  parquetDir: string
  stageDir: string
  stateDir: string
  /** The store: the one place of record, opened by the loader only. */
  storeFile: string
  runsDir: string
  ordersDir: string
  logsDir: string
}

/** The layout of a warehouse, the only place that knows it. Touches no disk. */
export function warehousePaths(warehouseDir: string): WarehousePaths {
  const root = resolve(warehouseDir)
  const stateDir = join(root, 'state')
  return {
    root,
    duckdbLink: join(root, 'coinlake.duckdb'),
    duckdbDir: join(root, 'duckdb'),
    parquetDir: join(root, 'parquet'),
    stageDir: join(root, 'stage'),
    stateDir,
    storeFile: join(stateDir, 'store.duckdb'),
    runsDir: join(stateDir, 'runs'),
    ordersDir: join(stateDir, 'orders'),
    logsDir: join(stateDir, 'logs'),
  }
}

/** 48 bits: two warehouses of one server never meet by chance, and queue names stay readable. */
const ID_HEX_DIGITS = 12

/**
 * A short name of the warehouse for queues and workflows: 12 hex digits, the same through every
 * symlink that leads to it, and the same before and after the folder is made.
 */
export function warehouseId(warehouseDir: string): string {
  const realPath = realPathOf(resolve(warehouseDir))
  return createHash('sha256').update(realPath).digest('hex').slice(0, ID_HEX_DIGITS)
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPathOf(parent), basename(path))
  }
}
