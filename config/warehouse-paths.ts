import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { BucketConfig } from './bucket.ts'
import type { Config } from './config.ts'
import type { LakeConfig } from './lake.ts'

/** Where everything of a warehouse lives; absolute paths. */
export interface WarehousePaths {
  root: string
  /** The symlink readers open. */
  duckdbLink: string
  /** The versioned files the symlink points to. */
  duckdbDir: string
  /** The symlink readers open; the folder itself where it has Delta Lake tables, or an older coinlake has published. */
  parquetLink: string
  /** The versions of the tree that the symlink points to. */
  parquetVersionsDir: string
  /** Where the Parquet publication is instead of `parquetLink`; null = there. */
  parquetBucket: BucketConfig | null
  stageDir: string
  stateDir: string
  /** The store: the one place of record, opened by the loader only. */
  storeFile: string
  /** The store instead, when it is a DuckLake. */
  lake: LakePlace | null
  runsDir: string
  ordersDir: string
  logsDir: string
}

/** A lake, and where this worker's DuckDB puts what does not fit into memory. */
export interface LakePlace extends LakeConfig {
  /** Absolute. */
  tempDir: string
}

/** The layout of a warehouse, the only place that knows it. Touches no disk. */
export function warehousePaths(warehouseDir: string): WarehousePaths {
  const root = resolve(warehouseDir)
  const stateDir = join(root, 'state')
  return {
    root,
    duckdbLink: join(root, 'coinlake.duckdb'),
    duckdbDir: join(root, 'duckdb'),
    parquetLink: join(root, 'parquet'),
    parquetVersionsDir: join(root, 'parquet-versions'),
    parquetBucket: null,
    stageDir: join(root, 'stage'),
    stateDir,
    storeFile: join(stateDir, 'store.duckdb'),
    lake: null,
    runsDir: join(stateDir, 'runs'),
    ordersDir: join(stateDir, 'orders'),
    logsDir: join(stateDir, 'logs'),
  }
}

/**
 * The same for a configuration: it may name a lake, and where workers share a stage, the pages and the
 * orders of runs are there (a folder or `s3://bucket/prefix`). The rest stays with each worker.
 */
export function pathsOf({
  warehouseDir,
  lake,
  stage,
  parquet,
}: Pick<Config, 'warehouseDir' | 'lake' | 'stage' | 'parquet'>): WarehousePaths {
  const paths = warehousePaths(warehouseDir)
  return {
    ...paths,
    parquetBucket: parquet.bucket,
    ...(parquet.format === 'delta' && { parquetLink: deltaFolder(paths.root) }),
    ...(stage.at !== null && { stageDir: stage.at, ordersDir: `${stage.at}/orders` }),
    lake: lake === null ? null : { ...lake, tempDir: join(paths.stateDir, 'duckdb-tmp') },
  }
}

/** Where the Parquet publication is Delta Lake tables; null = it is a tree. */
export function deltaPlace({ root, parquetLink, parquetBucket }: WarehousePaths): string | null {
  return parquetBucket?.place ?? (parquetLink === deltaFolder(root) ? parquetLink : null)
}

function deltaFolder(root: string): string {
  return join(root, 'delta')
}

/** Whether the stage is this warehouse's own: one that is shared keeps answers that its ledger knows nothing of. */
export function hasOwnStage({ root, stageDir }: WarehousePaths): boolean {
  return stageDir === warehousePaths(root).stageDir
}

/** 48 bits: two warehouses of one server never meet by chance, and queue names stay readable. */
const ID_HEX_DIGITS = 12

/**
 * A short name of the warehouse for queues and workflows: 12 hex digits, the same through every
 * symlink that leads to it, and the same before and after the folder is made.
 */
export function warehouseId(warehouseDir: string): string {
  return shortHash(realPathOf(resolve(warehouseDir)))
}

/** The same for a configuration: workers of one lake share its runs and queues, wherever they are. */
export function warehouseIdOf({
  warehouseDir,
  lake,
}: Pick<Config, 'warehouseDir' | 'lake'>): string {
  return lake === null ? warehouseId(warehouseDir) : shortHash(lake.catalog)
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, ID_HEX_DIGITS)
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPathOf(parent), basename(path))
  }
}
