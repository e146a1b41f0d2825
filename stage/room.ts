import { existsSync, statfsSync, type StatsFs } from 'node:fs'
import { dirname } from 'node:path'
import { StageError } from './stage-error.ts'

/** The assumed size of an answer, until a larger one has come. */
const USUAL_BYTES = 256 * 1024

/** The part of a file system's facts that tells its room. */
type DiskRoom = Pick<StatsFs, 'bavail' | 'bsize' | 'blocks'>

/**
 * Refuses a call when the disk has no room for its answer.
 *
 * @param look a test replaces it, because no disk is full on demand
 * @throws StageError STAGE_DISK_FULL
 */
export async function requireRoom(
  dir: string,
  largestBytes: number,
  inFlight: number,
  look: (folder: string) => DiskRoom = statfsSync,
): Promise<void> {
  const neededBytes = inFlight * Math.max(USUAL_BYTES, largestBytes)
  const { bavail, bsize, blocks } = look(nearestFolder(dir))
  // FUSE and network file systems report no blocks.
  if (blocks === 0 || bavail * bsize >= neededBytes) return
  const lack = `${bavail * bsize} bytes are free, and ${neededBytes} may be on their way`
  throw new StageError(`no room for answers in the stage ${dir}: ${lack}`, {
    code: 'STAGE_DISK_FULL',
    hint: 'This call was not made. Free some space or move the warehouse, then run the same command again: it goes on where it stopped.',
  })
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}
