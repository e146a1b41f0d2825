import { existsSync, lstatSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { freeBytesAt } from '../../stage/room.ts'

export interface DiskUse {
  /** Rows and ledger, with DuckDB's log. */
  storeBytes: number
  /** Answers, kept or waiting for their load. */
  stageBytes: number
  /** All kept versions of the published file. */
  duckdbBytes: number
  parquetBytes: number
  /** Logs, reports and orders of runs. */
  stateBytes: number
  /** null: the file system does not say. */
  freeBytes: number | null
  /** false: counting took too long, and the numbers are lower bounds. */
  isWhole: boolean
}

/** Longest time of counting, because a stage of a million pages takes seconds. */
const PATIENCE_MS = 400

/** Measures a warehouse for `patienceMs` at most; null = there is no warehouse. */
export async function diskUse(
  paths: WarehousePaths,
  patienceMs: number = PATIENCE_MS,
): Promise<DiskUse | null> {
  if (!existsSync(paths.root)) return null
  const count: Count = { untilMs: performance.now() + patienceMs, isWhole: true, linked: new Set() }
  // DuckDB keeps its log beside the file.
  const storeBytes = (await sizeOf(paths.storeFile)) + (await sizeOf(`${paths.storeFile}.wal`))
  // The largest part comes last, so that small ones are counted whole.
  const stateBytes = (await sizeBelow(paths.stateDir, count)) - storeBytes
  const duckdbBytes = await sizeBelow(paths.duckdbDir, count)
  // With `format: delta`, and in a warehouse of an older coinlake, the tree is a folder in place of the link.
  const isLink = lstatSync(paths.parquetLink, { throwIfNoEntry: false })?.isSymbolicLink()
  const oldTreeBytes = isLink === true ? 0 : await sizeBelow(paths.parquetLink, count)
  const parquetBytes = oldTreeBytes + (await sizeBelow(paths.parquetVersionsDir, count))
  const stageBytes = await sizeBelow(paths.stageDir, count)
  return {
    storeBytes,
    stageBytes,
    duckdbBytes,
    parquetBytes,
    stateBytes: Math.max(0, stateBytes),
    freeBytes: freeBytesAt(paths.root),
    isWhole: count.isWhole,
  }
}

interface Count {
  untilMs: number
  isWhole: boolean
  /** Device and inode of counted files with several names, which versions of the tree share. */
  linked: Set<string>
}

async function sizeBelow(dir: string, count: Count): Promise<number> {
  let sum = 0
  let folder
  try {
    folder = await opendir(dir)
  } catch {
    return 0
  }
  for await (const entry of folder) {
    if (performance.now() > count.untilMs) {
      count.isWhole = false
      break
    }
    const path = join(dir, entry.name)
    if (entry.isDirectory()) sum += await sizeBelow(path, count)
    // Links count nothing. A file that is gone meanwhile counts 0.
    else if (entry.isFile()) sum += await uncountedSize(path, count)
  }
  return sum
}

async function uncountedSize(path: string, { linked }: Count): Promise<number> {
  // As bigint, because inodes of some file systems exceed a double.
  const facts = await stat(path, { bigint: true }).catch(() => null)
  if (facts === null) return 0
  if (facts.nlink > 1n) {
    const file = `${facts.dev}:${facts.ino}`
    if (linked.has(file)) return 0
    linked.add(file)
  }
  return Number(facts.size)
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}
