import { constants, existsSync } from 'node:fs'
import { chmod, copyFile, rm } from 'node:fs/promises'
import type { Clock } from '../../config/clock.ts'
import type { FoundVersion } from '../../sinks/publish-duckdb/version-facts.ts'
import { publishError } from '../../sinks/publish/publish-error.ts'
import { SinkError } from '../../sinks/sink-error.ts'
import { openStoreAt } from '../ledger/store-of.ts'
import { verifyCopyOfStore } from '../verify/verify-source-of.ts'
import { withOpen } from '../run/closing-after.ts'

/** Errors that tell of this machine and not of the file. */
const LACKS: readonly string[] = ['STORE_OUT_OF_MEMORY', 'STORE_DISK_FULL']

export interface PublishedStart {
  file: string
  rows: number
}

/** Copies the newest sound published file. One of an older coinlake is no copy of a store. */
export async function copyPublished(
  versions: readonly (FoundVersion | null)[],
  temp: string,
  clock: Clock,
): Promise<PublishedStart | null> {
  const copies = versions.filter((one) => one !== null && !('sorted_load_id' in one.facts))
  for (const version of copies.toSorted((a, b) => b!.facts.load_id - a!.facts.load_id)) {
    const start = await copyVersion(version!, temp, clock)
    if (start !== null) return start
  }
  return null
}

async function copyVersion(
  version: FoundVersion,
  temp: string,
  clock: Clock,
): Promise<PublishedStart | null> {
  await copyFile(version.file, temp, constants.COPYFILE_FICLONE).catch((error: unknown) => {
    throw publishError(error, temp, 'the copy of the published file')
  })
  await chmod(temp, 0o600)
  try {
    const differences = await withOpen(openStoreAt(temp, clock), ({ query }) =>
      verifyCopyOfStore(query),
    )
    if (differences.length === 0) return { file: version.file, rows: version.facts.rows }
  } catch (error) {
    // Of a file that cannot be read for want of memory or disk, nobody knows whether it is sound.
    if (!(error instanceof SinkError) || LACKS.includes(error.code)) throw error
  }
  await removeLeftovers(temp, clock)
  return null
}

/** Removes the files of a killed restore. A living one holds its file. @throws SinkError STORE_LOCKED */
export async function removeLeftovers(file: string, clock: Clock): Promise<void> {
  if (existsSync(file)) {
    try {
      await withOpen(openStoreAt(file, clock), () => Promise.resolve())
    } catch (error) {
      if (!(error instanceof SinkError) || error.code === 'STORE_LOCKED') throw error
    }
  }
  for (const name of [file, `${file}.wal`]) await rm(name, { force: true })
}
