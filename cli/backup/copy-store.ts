import { constants } from 'node:fs'
import { copyFile, link, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import { allTables } from '../../datasets/index.ts'
import { openStoreAt } from '../ledger/store-of.ts'
import { createDuckdbPublication } from '../../sinks/publish-duckdb/duckdb-publication.ts'
import { factsPath, linkedVersion } from '../../sinks/publish-duckdb/version-facts.ts'
import type { FoundVersion } from '../../sinks/publish-duckdb/version-facts.ts'
import { renameDurably, syncFile, writeJsonDurably } from '../../sinks/publish/durable-files.ts'
import { storeMark } from '../../sinks/publish/store-mark.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import type { Effects } from '../effects.ts'
import { requireNewestStore } from '../ledger/load-numbers.ts'
import { isShut } from '../ledger/open-ledger.ts'
import { republishFacts } from '../run/open-publications.ts'
import { withOpen } from '../run/closing-after.ts'

/** Copies the store into the folder of a backup. `made` null: a version equals it, or another process holds it. */
export async function copyStore(
  { clock }: Effects,
  paths: WarehousePaths,
  dir: string,
  shown: readonly FoundVersion[],
): Promise<{ shut: SinkError | null; made: FoundVersion | null }> {
  const store = await openStoreAt(paths.storeFile, clock).catch((error: unknown) => {
    if (isShut(error)) return error
    throw error
  })
  if (store instanceof SinkError) return { shut: store, made: null }
  return await withOpen(store, async () => {
    await requireNewestStore(paths, { rows: store.query })
    const connection = await store.connect()
    try {
      const { loadId, ledger } = await storeMark(connection)
      const isShown = ({ facts }: FoundVersion): boolean =>
        facts.load_id === loadId && facts.ledger === ledger
      if (shown.some(isShown)) return { shut: null, made: null }
      const link = join(paths.stateDir, 'backup.duckdb')
      // A killed backup leaves its link.
      await rm(link, { force: true })
      const { alone } = store
      const target = { dir, link, tables: allTables }
      const publication = createDuckdbPublication({ connection, alone, ...target })
      await publication.publish(await republishFacts(store))
      const made = await linkedVersion(link)
      await rm(link)
      return { shut: null, made }
    } finally {
      connection.closeSync()
    }
  })
}

/** Copies a published file, as a hard link where possible, because published files never change. */
export async function copyVersion({ file, facts }: FoundVersion, to: string): Promise<void> {
  const temp = `${to}.tmp`
  await rm(temp, { force: true })
  await writeJsonDurably(factsPath(to), facts)
  await link(file, temp).catch(async () => {
    await copyFile(file, temp, constants.COPYFILE_FICLONE)
    await syncFile(temp)
  })
  await renameDurably(temp, to)
}
