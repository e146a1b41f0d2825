import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import type { WarehousePaths } from '../../config/warehouse-paths.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { readWhole } from '../../sinks/verify/read-whole.ts'
import { requireNewest } from '../ledger/load-numbers.ts'

/** @throws SinkError STORE_EXISTS for one that can be read whole and is the newest, and what refuses a store for another reason */
export async function refuseSound(
  paths: WarehousePaths,
  openAt: (file: string) => Promise<Store>,
): Promise<void> {
  if (!existsSync(paths.storeFile)) return
  try {
    const store = await openAt(paths.storeFile)
    try {
      const source = { rows: (sql: string) => store.query(sql) }
      await readWhole(source)
      await requireNewest(paths, source)
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof SinkError && UNUSABLE.includes(error.code)) return
    throw error
  }
  throw new SinkError(`there is a store, which is whole: ${paths.storeFile}`, {
    code: 'STORE_EXISTS',
    hint: 'restore makes one again that is gone, damaged or old. `coinlake verify --repair` marks single slices for the next backfill.',
  })
}

const UNUSABLE = ['STORE_DAMAGED', 'STORE_NOT_DUCKDB', 'STORE_BEHIND']

/** @returns where it is now; null = there was none */
export async function moveAside(file: string): Promise<string | null> {
  if (!existsSync(file)) return null
  const stamp = new Date().toISOString().replace(/[-:]/g, '').slice(0, 15)
  const movedTo = `${file}.${stamp}.damaged`
  await rename(file, movedTo)
  if (existsSync(`${file}.wal`)) await rename(`${file}.wal`, `${movedTo}.wal`)
  return movedTo
}
