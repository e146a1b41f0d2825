import { chmod } from 'node:fs/promises'
import { openStoreFile } from './store-file.ts'
import type { StorePlace } from './store-place.ts'
import { createTurns } from '../turns.ts'
import type { Turns } from '../turns.ts'
import { useUtc } from './use-utc.ts'

/** Nobody else's: the ledger names what was asked for. */
const STORE_MODE = 0o600

/** Turns by file: two stores on one file in one process share the instance and must not collide. */
const turnsByFile = new Map<string, Turns>()

/** A DuckDB file: DuckDB's own lock on it keeps other processes away. See openStoreFile for what is refused. */
export async function openFilePlace(file: string): Promise<StorePlace> {
  const { instance, path } = await openStoreFile(file)
  const turns = turnsByFile.get(path) ?? createTurns()
  turnsByFile.set(path, turns)
  return {
    name: path,
    isLake: false,
    hasViewColumnComments: true,
    connect: async () => await useUtc(await instance.connect()),
    alone: async (work) => await turns.take(() => work(async () => undefined)),
    onMigrated: async () => {
      await chmod(path, STORE_MODE)
    },
    close: () => {
      instance.closeSync()
    },
  }
}
