import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder, writeDurably } from '../../config/atomic-file.ts'

/** Everybody may read and write a publication, as far as the umask allows. */
export const READERS_MODE = 0o666

/** Syncs a finished file against a power cut, before anything points to the file. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Renames over `to` on the same file system, and makes the entry in its folder durable. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Writes JSON. A reader sees the old document or the new one, never a part. */
export async function writeJsonDurably(path: string, value: unknown): Promise<void> {
  await writeDurably(path, `${JSON.stringify(value, null, 1)}\n`, { mode: READERS_MODE })
}

/** SHA-256 of a file's content, hex. Never of the live store: closing the file would drop DuckDB's lock. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return hash.digest('hex')
}
