import { openStoreFile } from './store-file.ts'
import type { StoreAccess } from './store-access.ts'
import { createTurns } from '../turns.ts'
import type { Turns } from '../turns.ts'
import { useUtc } from './use-utc.ts'

/** By file, because two stores on one file in one process share the instance and must not collide. */
const turnsByFile = new Map<string, Turns>()

/**
 * Opens a store in a DuckDB file. DuckDB's lock on the file keeps other processes away. openStoreFile says what it
 * refuses.
 */
export async function openFileAccess(file: string): Promise<StoreAccess> {
  const { instance, path } = await openStoreFile(file)
  const turns = turnsByFile.get(path) ?? createTurns()
  turnsByFile.set(path, turns)
  return {
    name: path,
    isLake: false,
    hasViewColumnComments: true,
    connect: async () => await useUtc(await instance.connect()),
    alone: async (work) => await turns.take(() => work(async () => undefined)),
    close: () => {
      instance.closeSync()
    },
  }
}
