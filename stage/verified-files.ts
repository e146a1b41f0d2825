import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { StagedFile } from './page-stage.ts'
import { sha256 } from './sha256.ts'

/**
 * Remembers which files were hashed and found right, so that a page that is asked for again is not
 * read again. A file counts as unchanged while inode, size and modification time are the same.
 */
export class VerifiedFiles {
  readonly #known = new Map<string, string>()

  /** Notes a file that was just written from memory under this hash. */
  trust(path: string, { sha256: hash }: StagedFile): void {
    const mark = markOf(path)
    if (mark !== null) this.#known.set(path, `${mark} ${hash}`)
  }

  /** What is wrong with a file, null when nothing is. */
  async check(path: string, file: StagedFile): Promise<string | null> {
    const mark = markOf(path)
    if (mark === null) return `${file.name} is missing`
    if (this.#known.get(path) === `${mark} ${file.sha256}`) return null
    const content = await readFile(path)
    const fault = contentFault(content, file)
    if (fault === null) this.#known.set(path, `${mark} ${file.sha256}`)
    return fault
  }

  forget(path: string): void {
    this.#known.delete(path)
  }
}

/** What is wrong with the content of a file, null when nothing is. */
export function contentFault(content: Uint8Array, file: StagedFile): string | null {
  if (content.byteLength !== file.sizeBytes) {
    return `${file.name} has ${content.byteLength} bytes instead of ${file.sizeBytes}`
  }
  return sha256(content) === file.sha256 ? null : `${file.name} fails its checksum`
}

function markOf(path: string): string | null {
  const facts = statSync(path, { throwIfNoEntry: false })
  return facts === undefined ? null : `${facts.ino} ${facts.size} ${facts.mtimeMs}`
}
