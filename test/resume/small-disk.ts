import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A small file system of its own under a folder, which can be filled and grown. */
export interface SmallDisk {
  /** Writes a file of zeros that leaves so much room. */
  fillUpTo(leftBytes: number): void
  /** Takes that file away. */
  makeRoom(): void
  grow(sizeBytes: number): void
  /** Detaches it, whoever has files of it open. */
  remove(): void
}

const BALLAST = 'ballast'
const PIECE = Buffer.alloc(65_536)

/** Why no tmpfs can be mounted here; null when one can. */
export function whyNoSmallDisk(dir: string): string | null {
  try {
    mountSmallDisk(dir, 1_048_576).remove()
    return null
  } catch (error) {
    return `no tmpfs can be mounted: ${(error as Error).message.split('\n')[0]}`
  }
}

/** Mounts a tmpfs on the folder, which is made. @throws where that needs rights that are not there */
export function mountSmallDisk(dir: string, sizeBytes: number): SmallDisk {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const quietly = { stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] }
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes},mode=700`, 'tmpfs', dir], quietly)
  const ballast = join(dir, BALLAST)
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize
  }
  return {
    fillUpTo(leftBytes) {
      const file = openSync(ballast, 'w')
      try {
        for (let rest = freeBytes() - leftBytes; rest > 0; rest -= PIECE.length) {
          writeSync(file, PIECE, 0, Math.min(rest, PIECE.length))
        }
      } finally {
        closeSync(file)
      }
    },
    makeRoom: () => rmSync(ballast, { force: true }),
    grow: (size) => execFileSync('mount', ['-o', `remount,size=${size}`, dir], quietly),
    remove: () => execFileSync('umount', ['-l', dir], quietly),
  }
}
