import { existsSync, lstatSync, mkdirSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '../../config/clock.ts'
import { hasOwnStage, warehousePaths, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { isThere } from '../../sinks/is-there.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { readBlocks } from '../../sinks/verify/read-blocks.ts'
import { requireNewestStore } from '../ledger/load-numbers.ts'
import { openStoreAt } from '../ledger/store-of.ts'
import { withOpen } from '../run/closing-after.ts'

/** Refuses a sound store, unless `isReplacing`. @throws SinkError STORE_EXISTS, else the error of an unreadable store */
export async function refuseSoundStore(
  paths: WarehousePaths,
  clock: Clock,
  isReplacing: boolean,
): Promise<void> {
  if (!isThere(paths.storeFile)) return
  try {
    await withOpen(openStoreAt(paths.storeFile, clock), async (store) => {
      const source = { rows: store.query }
      await readBlocks(source)
      await requireNewestStore(paths, source)
    })
  } catch (error) {
    if (error instanceof SinkError && UNUSABLE.includes(error.code)) return
    throw error
  }
  if (isReplacing) return
  throw new SinkError(`there is a sound store: ${paths.storeFile}`, {
    code: 'STORE_EXISTS',
    hint: 'restore rebuilds a store that is gone, damaged or old. `coinlake verify --repair` marks single slices for the next backfill. `--from DIR --replace` goes back to a backup.',
  })
}

const UNUSABLE = ['STORE_DAMAGED', 'STORE_NOT_DUCKDB', 'STORE_BEHIND']

/**
 * Gives a restored file the name of the store. The former file moves aside with its log, because DuckDB would replay
 * that log into the new file.
 *
 * @returns the new place of the former file; null = there was none
 * @throws SinkError RESTORE_UNWRITTEN
 */
export async function putInPlace(restored: string, storeFile: string): Promise<string | null> {
  requireWritten(restored)
  const movedTo = await moveAside(storeFile)
  await rename(restored, storeFile)
  return movedTo
}

/** Checks that DuckDB has written its log into the file. @throws SinkError RESTORE_UNWRITTEN */
export function requireWritten(restored: string): void {
  const log = `${restored}.wal`
  const { size = 0 } = statSync(log, { throwIfNoEntry: false }) ?? {}
  if (size > 0) {
    throw new SinkError(`${log} has ${size} bytes that DuckDB could not write into ${restored}`, {
      code: 'RESTORE_UNWRITTEN',
      hint: 'The store is unchanged. Free some space, then run `coinlake restore` again.',
    })
  }
}

/** Moves everything that a backup replaces into a folder of the warehouse. @returns the folder; null = nothing moved */
export async function moveAllAside(paths: WarehousePaths): Promise<string | null> {
  const { storeFile, duckdbLink, duckdbDir, parquetLink, parquetVersionsDir, stageDir } = paths
  const aside = join(paths.root, `replaced-${stamp()}`)
  const own = hasOwnStage(paths) ? [stageDir] : []
  // The store goes last, so that the warehouse has a complete one until then.
  // An older tree may stand beside Delta Lake tables.
  const tree = warehousePaths(paths.root).parquetLink
  const parts = new Set([...own, duckdbLink, duckdbDir, parquetLink, tree, parquetVersionsDir])
  const there = [...parts, storeFile, `${storeFile}.wal`].filter(
    (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
  )
  if (there.length > 0) mkdirSync(aside, { mode: 0o700 })
  const moved: string[] = []
  try {
    for (const path of there) {
      await rename(path, join(aside, basename(path)))
      moved.push(path)
    }
  } catch (error) {
    for (const path of moved.toReversed()) await rename(join(aside, basename(path)), path)
    throw error
  }
  return there.length > 0 ? aside : null
}

function stamp(): string {
  return new Date().toISOString().replace(/[-:]/g, '').slice(0, 15)
}

/** Moves a file aside, then its log. A file without its log would look sound. */
async function moveAside(file: string): Promise<string | null> {
  const at = stamp()
  const moved: string[] = []
  for (const end of ['', '.wal']) {
    if (!existsSync(`${file}${end}`)) continue
    const movedTo = `${file}.${at}.damaged${end}`
    await rename(`${file}${end}`, movedTo)
    moved.push(movedTo)
  }
  return moved[0] ?? null
}
