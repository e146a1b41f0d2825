import { openSync } from 'node:fs'
import { rename, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { tempName } from './durable-file.ts'

/** What two loads of charts let go of. */
const MAX_SPARES = 512

/**
 * Files that nobody needs any more, kept empty until one is to be written. Before ext4 gives a new file an
 * inode it looks at each that was freed in the last minutes: a run that frees a file for each page and makes
 * three spends more on that than on all else it does with files.
 */
export class SpareFiles {
  readonly #dir: string
  readonly #paths: string[] = []
  #isDropped = false

  /** @param dir where spares wait, as temp files: whoever sweeps that folder removes those of the dead. */
  constructor(dir: string) {
    this.#dir = dir
  }

  /** Takes a file away from where it is; whether it is there or not. */
  async discard(path: string): Promise<void> {
    if (this.#paths.length >= MAX_SPARES) return await rm(path, { force: true })
    const spare = join(this.#dir, tempName())
    try {
      // What is linked elsewhere, by a backup say, is not ours alone to empty.
      const { nlink } = await stat(path)
      if (nlink > 1) return await rm(path, { force: true })
      await rename(path, spare)
      await truncate(spare)
      if (this.#isDropped) await rm(spare, { force: true })
      else this.#paths.push(spare)
    } catch {
      await rm(spare, { force: true })
      await rm(path, { force: true })
    }
  }

  /** A spare, open to be written, with its path; null when there is none. */
  take(): { path: string; file: number } | null {
    for (let path = this.#paths.pop(); path !== undefined; path = this.#paths.pop()) {
      try {
        return { path, file: openSync(path, 'r+') }
      } catch {
        // Swept away as too old to have a writer.
      }
    }
    return null
  }

  /** Removes them; what is discarded from now on goes for good. */
  async drop(): Promise<void> {
    this.#isDropped = true
    await Promise.all(this.#paths.splice(0).map((path) => rm(path, { force: true })))
  }
}
