import { statSync } from 'node:fs'
import type { DuckDBInstance } from '@duckdb/node-api'
import pLimit, { type LimitFunction } from 'p-limit'
import { openStoreFile } from './store-file.ts'
import { asSinkError } from '../as-sink-error.ts'
import { type StoreAccess, useUtc } from './store-access.ts'
import { SinkError } from '../../sink-error.ts'

/** A file that this process has open. Two stores on one file share DuckDB's instance and must not collide. */
interface OpenFile {
  /** Runs one piece of work at a time, in the order of the calls. */
  inTurn: LimitFunction
  /** Device and inode at the first opening. DuckDB gives later openings the same file, even if it was replaced. */
  identity: string | null
  stores: number
}

const openFiles = new Map<string, OpenFile>()

/** A newly opened file. When the file cannot be looked at, DuckDB's lock is given back. */
function newFile(path: string, instance: DuckDBInstance): OpenFile {
  try {
    return { inTurn: pLimit(1), identity: identityOf(path), stores: 0 }
  } catch (error) {
    instance.closeSync()
    throw error
  }
}

/** Opens a store in a DuckDB file. DuckDB's lock keeps other processes away. @throws SinkError as openStoreFile */
export async function openFileAccess(file: string): Promise<StoreAccess> {
  const { instance, path } = await openStoreFile(file)
  const open = openFiles.get(path) ?? newFile(path, instance)
  openFiles.set(path, open)
  open.stores += 1
  /** Rows in a file without a name are lost when this process ends. */
  const requireFile = async (): Promise<void> => {
    if (open.identity !== null && identityOf(path) === open.identity) return
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
    connect: async () => await useUtc(await instance.connect()),
    alone: async (work) =>
      await open.inTurn(async () => {
        await requireFile()
        return await work(requireFile)
      }),
    close: () => {
      instance.closeSync()
      open.stores -= 1
      if (open.stores === 0) openFiles.delete(path)
    },
  }
}

/** Device and inode of the file; null: no file has the name. @throws SinkError when nobody can tell */
function identityOf(path: string): string | null {
  try {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false })
    return facts === undefined ? null : `${facts.dev}:${facts.ino}`
  } catch (error) {
    throw asSinkError(error, 'look at the store', path)
  }
}
