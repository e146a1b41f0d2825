import { constants } from 'node:fs'
import { chmod, copyFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFile } from '../publish/durable-files.ts'

/** Nobody else's until it is published. */
const COPY_MODE = 0o600
/** A copy made ahead leaves its own size free: the loads that come before it is used may need room. */
const ROOM_IN_COPIES = 2

/** A copy of the newest published file, made before the publication that needs it. */
export interface VersionCopy {
  /** Where it is, whether begun or not. */
  path: string
  /**
   * Begins a copy of the file that `newest` gives, unless one is begun. Whatever fails is left to `take`.
   *
   * @param newest null when there is nothing to copy
   */
  begin(newest: () => Promise<string | null>): Promise<void>
  /** Waits for the copy of `file`, or makes it now. @throws what copying throws */
  take(file: string): Promise<string>
  /** Removes what was begun and not taken. */
  discard(): Promise<void>
}

/**
 * Copies into `dir`. Where the file system shares blocks (APFS, Btrfs, XFS) a copy takes neither time
 * nor room; elsewhere it takes its bytes, which is why it is made while pages are still fetched.
 */
export function versionCopy(dir: string): VersionCopy {
  const path = join(dir, `coinlake-next-${process.pid}.tmp`)
  /** The file of which there is a copy; null when there is none after all. */
  let begun: Promise<string | null> | null = null

  async function copy(file: string): Promise<void> {
    await rm(path, { force: true })
    await copyFile(file, path, constants.COPYFILE_FICLONE)
    await chmod(path, COPY_MODE)
    // What is on disk already need not be waited for at the end.
    await syncFile(path)
  }

  async function copyIfRoom(newest: () => Promise<string | null>): Promise<string | null> {
    try {
      const file = await newest()
      if (file === null) return null
      const { bavail, bsize } = await statfs(dir)
      const { size } = await stat(file)
      if (bavail * bsize < size * ROOM_IN_COPIES) return null
      await copy(file)
      return file
    } catch {
      await rm(path, { force: true }).catch(() => undefined)
      return null
    }
  }

  return {
    path,
    async begin(newest) {
      begun ??= copyIfRoom(newest)
      await begun
    },
    async take(file) {
      const made = await begun
      begun = null
      if (made !== file) await copy(file)
      return path
    },
    async discard() {
      await begun
      begun = null
      await rm(path, { force: true })
    },
  }
}
