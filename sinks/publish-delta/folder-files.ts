import { createHash, randomBytes } from 'node:crypto'
import { copyFile, link, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { syncFolder, writeDurably } from '../../config/atomic-file.ts'
import { isS3, type MarkedContent, s3Files, type ObjectFiles } from '../../stage/s3-files.ts'
import { READERS_MODE, renameDurably, syncFile } from '../publish/durable-files.ts'

/** The files of Delta tables: objects of a bucket, or files in a folder that behave like objects. */
export function filesAt(place: string): ObjectFiles {
  return isS3(place) ? s3Files(place) : folderFiles(place)
}

function folderFiles(dir: string): ObjectFiles {
  const write = async (name: string, content: Uint8Array | string): Promise<void> =>
    await writeDurably(join(dir, name), content, { mode: READERS_MODE })

  async function readMarked(name: string): Promise<MarkedContent | null> {
    const content = await readFile(join(dir, name)).catch(nothingThere)
    if (content === null) return null
    return { content, mark: createHash('sha256').update(content).digest('hex') }
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
      // Only one process publishes, in turns, so nobody writes after this comparison. `link` decides about new files.
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
      const all = await readdir(dir, { withFileTypes: true, recursive: true }).catch(nothingThere)
      const found = await Promise.all(
        (all ?? [])
          .filter((entry) => entry.isFile())
          .map(async (entry) => {
            const path = join(entry.parentPath, entry.name)
            const name = relative(dir, path).split(sep).join('/')
            const facts = name.startsWith(prefix) ? await stat(path).catch(nothingThere) : null
            return facts === null
              ? []
              : [{ name, sizeBytes: facts.size, modifiedMs: facts.mtimeMs }]
          }),
      )
      return found.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },
    async remove(names) {
      await Promise.all(names.map((name) => rm(join(dir, name), { force: true })))
    },
  }
}

/** For `.catch`: null for a missing file. */
function nothingThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
