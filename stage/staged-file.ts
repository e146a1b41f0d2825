import type { StagedFile } from './page-stage.ts'
import { sha256 } from './sha256.ts'

/** Digits of the content's hash in a file's name: two writers of one page never overwrite each other. */
const NAME_HASH_DIGITS = 8

/** Name, size and hash of a file of a page: `<page>.<hash>.<kind>`. */
export function stagedFile(page: string, kind: string, content: Uint8Array): StagedFile {
  const hash = sha256(content)
  return {
    name: `${page}.${hash.slice(0, NAME_HASH_DIGITS)}.${kind}`,
    sizeBytes: content.byteLength,
    sha256: hash,
  }
}
