import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'

/** A file or folder, as it stands on the disk. */
export interface FoundFile {
  /** Relative to the folder that was asked for. */
  path: string
  isFolder: boolean
  isLink: boolean
  /** Permission bits. */
  mode: number
}

/** All that is below a folder, links not followed. */
export function filesBelow(folder: string): FoundFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return {
      path: relative(folder, path),
      isFolder: entry.isDirectory(),
      isLink: entry.isSymbolicLink(),
      mode: lstatSync(path).mode & 0o777,
    }
  })
}

/** The bytes of a file as they are on the disk, and unpacked if it is packed. A staged page adds its body likewise. */
export function bytesOf(path: string): Buffer[] {
  const bytes = readFileSync(path)
  if (!path.endsWith('.page')) return withUnpacked(bytes)
  const bodyForms = withUnpacked(bytes.subarray(bytes.indexOf('\n') + 1))
  if (bodyForms.length === 1)
    throw new Error(`the body of ${path} is packed in a way that is not known here`)
  return [bytes, ...bodyForms]
}

function withUnpacked(bytes: Buffer): Buffer[] {
  if (bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return [bytes, gunzipSync(bytes)]
  if (bytes.subarray(0, 4).equals(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))) {
    return [bytes, zstdDecompressSync(bytes)]
  }
  return [bytes]
}
