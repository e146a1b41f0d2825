import { statSync } from 'node:fs'
import { openStoreFile } from './store-file.ts'
import type { StoreAccess } from './store-access.ts'
import { SinkError } from '../../sink-error.ts'
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
  const { ino } = statSync(path)
  /** Rows that go into a file without a name are lost when this process ends. */
  const requireFile = async (): Promise<void> => {
    if (statSync(path, { throwIfNoEntry: false })?.ino === ino) return
    throw new SinkError(
      `the store ${path} was removed or replaced while this process has it open`,
      {
        code: 'STORE_GONE',
        hint: 'Stop this process, then run `coinlake restore`: kept answers cost no call.',
      },
    )
  }
  return {
    name: path,
    isLake: false,
    hasViewColumnComments: true,
    connect: async () => await useUtc(await instance.connect()),
    alone: async (work) =>
      await turns.take(async () => {
        await requireFile()
        return await work(requireFile)
      }),
    close: () => {
      instance.closeSync()
    },
  }
}
