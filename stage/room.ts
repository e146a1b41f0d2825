import { existsSync, statfsSync, type StatsFs } from 'node:fs'
import { dirname } from 'node:path'
import { StageError } from './stage-error.ts'

/** The assumed size of an answer, until a larger one has come. */
const USUAL_BYTES = 256 * 1024

/** The part of a file system's facts that tells its room. */
type DiskRoom = Pick<StatsFs, 'bavail' | 'bsize' | 'blocks'>

/**
 * Free bytes where a folder lies, or will lie; null = the file system reports no sizes, as FUSE and network ones may.
 *
 * @param look a test replaces it, because no disk is full on demand
 */
export function freeBytesAt(
  dir: string,
  look: (folder: string) => DiskRoom = statfsSync,
): number | null {
  const { bavail, bsize, blocks } = look(nearestFolder(dir))
  return blocks === 0 ? null : bavail * bsize
}

/**
 * Refuses a call when the disk has no room for its answer.
 *
 * @throws StageError STAGE_DISK_FULL
 */
export async function requireRoom(
  dir: string,
  largestBytes: number,
  inFlight: number,
  look: (folder: string) => DiskRoom = statfsSync,
): Promise<void> {
  const neededBytes = inFlight * Math.max(USUAL_BYTES, largestBytes)
  const freeBytes = freeBytesAt(dir, look)
  if (freeBytes === null || freeBytes >= neededBytes) return
  const lack = `${freeBytes} bytes are free, and ${neededBytes} may be on their way`
  throw new StageError(`no room for answers in the stage ${dir}: ${lack}`, {
    code: 'STAGE_DISK_FULL',
    hint: 'This call was not made. Free some space or move the warehouse, then run the same command again: it goes on where it stopped.',
  })
}

/** The folder, or its nearest parent that exists. */
export function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}
