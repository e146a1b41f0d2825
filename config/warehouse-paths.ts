import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Config } from './config.ts'
import type { LakeConfig } from './lake.ts'
import type { BucketConfig } from './settings/place-kinds.ts'

/** The absolute paths of everything in a warehouse. */
export interface WarehousePaths {
  root: string
  /** The symlink that readers open. */
  duckdbLink: string
  /** The versioned files the symlink points to. */
  duckdbDir: string
  /** The symlink that readers open. For Delta Lake tables, and in a warehouse of an older coinlake, it is a folder. */
  parquetLink: string
  /** The versions of the tree that the symlink points to. */
  parquetVersionsDir: string
  /** The bucket of the Parquet publication; null = it is at `parquetLink`. */
  parquetBucket: BucketConfig | null
  stageDir: string
  stateDir: string
  /** The store, which is the place of record. Only the loader opens it. */
  storeFile: string
  /** The DuckLake that is the store instead of `storeFile`; null = none. */
  lake: LakePlace | null
  runsDir: string
  ordersDir: string
  logsDir: string
}

/** A lake, and this worker's folder for rows that do not fit into memory. */
export interface LakePlace extends LakeConfig {
  /** Absolute. */
  tempDir: string
}

type Places = Pick<Config, 'warehouseDir' | 'lake' | 'stage' | 'parquet'>

/** The layout of a warehouse, known only here. The disk is not touched. */
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
 * The paths for a configuration, which may name a lake, a bucket, and a stage that workers share. A shared
 * stage (a folder or `s3://bucket/prefix`) also has the orders of runs. Each worker has its own other folders.
 */
export function pathsOf({ warehouseDir, lake, stage, parquet }: Places): WarehousePaths {
  const paths = warehousePaths(warehouseDir)
  return {
    ...paths,
    parquetBucket: parquet.bucket,
    ...(parquet.format === 'delta' && { parquetLink: deltaFolder(paths.root) }),
    ...(stage.at !== null && { stageDir: stage.at, ordersDir: `${stage.at}/orders` }),
    lake: lake === null ? null : { ...lake, tempDir: join(paths.stateDir, 'duckdb-tmp') },
  }
}

/** The place of the Parquet publication when it is Delta Lake tables; null = it is a tree. */
export function deltaPlace({ root, parquetLink, parquetBucket }: WarehousePaths): string | null {
  return parquetBucket?.place ?? (parquetLink === deltaFolder(root) ? parquetLink : null)
}

function deltaFolder(root: string): string {
  return join(root, 'delta')
}

/** The files and folders that coinlake alone writes: those that paths name, and both forms of a Parquet publication. */
export function keptPlaces(paths: WarehousePaths): string[] {
  const { root, lake, duckdbLink, parquetLink } = paths
  const folders = [paths.stateDir, paths.stageDir, paths.duckdbDir, paths.parquetVersionsDir]
  const links = [duckdbLink, `${duckdbLink}.wal`, parquetLink, warehousePaths(root).parquetLink]
  const ofLake = lake === null ? [] : [lake.data, lake.catalog.replace(/^sqlite:/, '')]
  return [...folders, deltaFolder(root), ...links, ...ofLake]
}

/** Whether only this warehouse uses its stage. A shared stage has answers that its ledger does not know. */
export function hasOwnStage({ root, stageDir }: WarehousePaths): boolean {
  return stageDir === warehousePaths(root).stageDir
}

/** The id by which a warehouse is told from others that use its stage; undefined = the stage is its own. */
export function stageSharerId(config: Places): string | undefined {
  return hasOwnStage(pathsOf(config)) ? undefined : warehouseIdOf(config)
}

/** 48 bits, enough that two warehouses of one server never have the same id by chance. */
const ID_HEX_DIGITS = 12

/**
 * A short id of the warehouse for queues and workflows: 12 hex digits. Every symlink to the folder gives the same id,
 * also before the folder is made.
 */
export function warehouseId(warehouseDir: string): string {
  return shortHash(realPathOf(resolve(warehouseDir)))
}

/** The id for a configuration. Workers of one lake have one id, so they share its runs and queues. */
export function warehouseIdOf(config: Pick<Places, 'warehouseDir' | 'lake'>): string {
  return config.lake === null ? warehouseId(config.warehouseDir) : shortHash(config.lake.catalog)
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, ID_HEX_DIGITS)
}

/** The path without links, also of what is not there yet. @param path absolute */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPathOf(parent), basename(path))
  }
}
