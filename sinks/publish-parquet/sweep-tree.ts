import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { partitionPath, UNFINISHED } from './partitions.ts'

const OURS = /^(?:\d{4}-\d{2}|all)\.parquet$/
/** Unfinished files of a coinlake that wrote them beside the finished ones. */
const LEFTOVER = /^(?:\d{4}-\d{2}|all)\.parquet\.tmp$/

/**
 * Removes unfinished files, and from our tables' folders what the manifest does not name: files of a
 * publisher that was killed before its manifest. Files with other names are somebody else's and stay.
 */
export async function sweepTree(
  dir: string,
  tables: readonly string[],
  isNamed: (path: string) => boolean,
): Promise<void> {
  await rm(join(dir, UNFINISHED), { recursive: true, force: true })
  for (const table of tables) {
    for (const name of await namesIn(join(dir, table))) {
      const path = partitionPath(table, name.replace(/\.parquet$/, ''))
      if (LEFTOVER.test(name) || (OURS.test(name) && !isNamed(path))) {
        await rm(join(dir, table, name), { force: true })
      }
    }
  }
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
