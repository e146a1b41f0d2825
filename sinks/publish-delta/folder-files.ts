import { randomBytes } from 'node:crypto'
import { copyFile, link, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder, writeDurably } from '../../config/atomic-file.ts'
import { isS3, type MarkedContent, s3Files, type ObjectFiles } from '../../stage/s3-files.ts'
import { sha256 } from '../../stage/sha256.ts'
import { sharedFiles } from '../../stage/shared-files.ts'
import { READERS_MODE, renameDurably, syncFile } from '../publish/durable-files.ts'

/** The files of Delta tables: objects of a bucket, or files in a folder that behave like objects. */
export function filesAt(place: string): ObjectFiles {
  return isS3(place) ? s3Files(place) : folderFiles(place)
}

function folderFiles(dir: string): ObjectFiles {
  const files = sharedFiles(dir)
  const write = async (name: string, content: Uint8Array | string): Promise<void> => {
    const path = join(dir, name)
    // A folder that writeDurably makes is only for its owner.
    await mkdir(dirname(path), { recursive: true })
    await writeDurably(path, content, { mode: READERS_MODE })
  }

  async function readMarked(name: string): Promise<MarkedContent | null> {
    const content = await readFile(join(dir, name)).catch(nothingThere)
    return content === null ? null : { content, mark: sha256(content) }
  }

  return {
    readMarked,
    read: async (name) => (await readMarked(name))?.content ?? null,
    write,
    async upload(name, file) {
      const path = join(dir, name)
      await mkdir(dirname(path), { recursive: true })
      await syncFile(file.path)
      await renameDurably(file.path, path).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EXDEV') throw error
        // The folder is on another file system than the warehouse.
        const draft = `${path}.tmp`
        await copyFile(file.path, draft)
        await syncFile(draft)
        await renameDurably(draft, path)
      })
    },
    async replace(name, content, mark) {
      // Publications run one at a time, so no write comes after this comparison. For a new file `link` fails if it exists.
      if (mark !== null) {
        if ((await readMarked(name))?.mark !== mark) return false
        await write(name, content)
        return true
      }
      const draft = `${name}.${randomBytes(8).toString('hex')}.tmp`
      await write(draft, content)
      try {
        await link(join(dir, draft), join(dir, name))
        await syncFolder(dirname(join(dir, name)))
        return true
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        return false
      } finally {
        await rm(join(dir, draft), { force: true })
      }
    },
    async list(prefix) {
      const found = (await files.listDeep('')).filter(({ name }) => name.startsWith(prefix))
      return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },
    remove: (names) => files.remove(names),
  }
}

/** For `.catch`: null for a missing file. */
function nothingThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
