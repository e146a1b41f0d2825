import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasOwnStage, type WarehousePaths } from '../../config/warehouse-paths.ts'
import { MANIFEST } from '../../sinks/publish-parquet/manifest.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { hasStore } from './store-of.ts'

/** A hint without its full stop, so that more can follow. */
export const RESTORE_HINT =
  '`coinlake restore` rebuilds the store from the publication and the kept answers, without a call'

/** The error for a missing store whose stage or publication still exists; null = no store is missing. */
export function goneStoreError(paths: WarehousePaths): SinkError | null {
  if (hasStore(paths)) return null
  // A restore moves the old files aside, then renames its own to the store. Killed in between, it leaves only its own.
  const restoring = `${paths.storeFile}.restoring`
  const leftovers = [
    ...(existsSync(restoring) ? [restoring] : []),
    ...[paths.duckdbLink, join(paths.parquetLink, MANIFEST)].filter((path) => existsSync(path)),
    ...(hasOwnPages(paths) ? [join(paths.stageDir, 'pages')] : []),
  ]
  if (leftovers.length === 0) return null
  return new SinkError(
    `the store ${paths.storeFile} is gone, but these files of the warehouse remain: ${leftovers.join(', ')}`,
    {
      code: 'STORE_GONE',
      hint: `${existsSync(restoring) ? 'A restore was broken off: run the same `coinlake restore` again' : RESTORE_HINT}. \`coinlake backfill --afresh\` begins a new store, and fetches everything again.`,
    },
  )
}

export function noWarehouseError({ root }: WarehousePaths): SinkError {
  return new SinkError(`there is no warehouse in ${root}`, {
    code: 'NO_WAREHOUSE',
    hint: 'Run `coinlake backfill` first, or name another one with --warehouse.',
  })
}

/** Whether the warehouse's own stage has a page. A shared stage shows nothing about this store. */
export function hasOwnPages(paths: WarehousePaths): boolean {
  const pages = join(paths.stageDir, 'pages')
  if (!hasOwnStage(paths) || !existsSync(pages)) return false
  return readdirSync(pages, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .some(({ name }) => readdirSync(join(pages, name)).length > 0)
}
