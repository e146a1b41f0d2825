import { existsSync, statfsSync, type StatsFs } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StageError } from './stage-error.ts'

/** The assumed size of an answer, until a larger one has come. */
const USUAL_BYTES = 256 * 1024
/** An answer is a file, and may need a folder. */
const INODES_EACH = 2
const LOOK_EVERY_MS = 1_000

/** The part of a file system's facts that tells its room. */
type DiskRoom = Pick<StatsFs, 'bavail' | 'bsize' | 'blocks' | 'ffree' | 'files'>

/**
 * Refuses a call when the disk has no room for its answer.
 *
 * @param largestBytes size of the largest answer so far
 * @param inFlight answers that may be on their way to the stage at once
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
  const neededInodes = inFlight * INODES_EACH
  const { bavail, bsize, blocks, ffree, files } = look(nearestFolder(dir))
  // FUSE and network file systems report no blocks, btrfs reports no inodes.
  const isShortOfBytes = blocks !== 0 && bavail * bsize < neededBytes
  if (!isShortOfBytes && (files === 0 || ffree >= neededInodes)) return
  const [lack, free] = isShortOfBytes
    ? [
        `${bavail * bsize} bytes are free, and ${neededBytes} may be on their way`,
        'Free some space',
      ]
    : [`${ffree} inodes are free, and ${neededInodes} may be needed`, 'Remove some files']
  throw new StageError(`no room for answers in the stage ${dir}: ${lack}`, {
    code: 'STAGE_DISK_FULL',
    hint: `This call was not made. ${free} or move the warehouse, then run the same command again: it goes on where it stopped.`,
  })
}

/** Writes an answer. Without room it tries again for `withinMs`, because the call is spent. */
export async function whenRoom(write: () => Promise<void>, withinMs: number): Promise<void> {
  const untilMs = performance.now() + withinMs
  for (;;) {
    try {
      await write()
      return
    } catch (error) {
      const isFull = error instanceof StageError && error.code === 'STAGE_DISK_FULL'
      if (!isFull || performance.now() + LOOK_EVERY_MS > untilMs) throw error
      await sleep(LOOK_EVERY_MS)
    }
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}
