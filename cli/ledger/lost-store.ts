import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasOwnStage } from '../../config/warehouse-paths.ts'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { MANIFEST } from '../../sinks/publish-parquet/manifest.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { hasStore } from './store-of.ts'

export const RESTORE =
  '`coinlake restore` makes it again from what is published and the kept answers: no call'

/** That the store is gone, where the stage or a publication shows that there was one; null = it is there, or never was. */
export function goneStore(paths: WarehousePaths): SinkError | null {
  if (hasStore(paths)) return null
  // A restore that was killed has moved everything else aside.
  const restoring = `${paths.storeFile}.restoring`
  const rests = [
    ...(existsSync(restoring) ? [restoring] : []),
    ...[paths.duckdbLink, join(paths.parquetLink, MANIFEST)].filter((path) => existsSync(path)),
    ...(keepsPages(paths) ? [join(paths.stageDir, 'pages')] : []),
  ]
  if (rests.length === 0) return null
  return new SinkError(
    `the store ${paths.storeFile} is gone: ${rests.join(', ')} ${rests.length === 1 ? 'is' : 'are'} of one`,
    {
      code: 'STORE_GONE',
      hint: `${existsSync(restoring) ? 'A restore was broken off: run the same `coinlake restore` again. Else ' : ''}${RESTORE}. \`coinlake backfill --afresh\` begins a new one, and asks for everything again.`,
    },
  )
}

/** Whether the warehouse's own stage has a page; one that is shared says nothing of this store. */
function keepsPages(paths: WarehousePaths): boolean {
  const pages = join(paths.stageDir, 'pages')
  if (!hasOwnStage(paths) || !existsSync(pages)) return false
  return readdirSync(pages, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .some(({ name }) => readdirSync(join(pages, name)).length > 0)
}
