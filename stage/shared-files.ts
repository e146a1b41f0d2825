import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writeDurably } from './durable-file.ts'
import { ignoreMissing, readIfThere } from './page-files.ts'
import { isS3, s3Files } from './s3-files.ts'

/** Small files beside the pages that all who share a stage read and write. */
export interface SharedFiles {
  read(name: string): Promise<Buffer | null>
  /** Whole or not at all. */
  write(name: string, content: string): Promise<void>
  /** Those directly in a folder ('' = the place itself), with when they were written. */
  list(folder: string): Promise<{ name: string; modifiedMs: number }[]>
  remove(names: readonly string[]): Promise<void>
}

/**
 * The files below a folder or below `s3://bucket/prefix`.
 *
 * @param tempDir for a folder: where files are written before they are moved; on the same file system
 * @throws StageError
 */
export function sharedFiles(place: string, tempDir: string = join(place, 'tmp')): SharedFiles {
  return isS3(place) ? objectsOf(place) : filesOf(place, tempDir)
}

function filesOf(dir: string, tempDir: string): SharedFiles {
  return {
    read: async (name) => await readIfThere(join(dir, name)),
    async write(name, content) {
      await writeDurably(join(dir, name), content, { tempDir })
      await syncFolder(join(dir, name, '..'))
    },
    async list(folder) {
      const names = (await readdir(join(dir, folder)).catch(ignoreMissing)) ?? []
      const files = names.map(async (entry) => {
        const name = join(folder, entry)
        const facts = await stat(join(dir, name)).catch(ignoreMissing)
        return facts?.isFile() === true ? [{ name, modifiedMs: facts.mtimeMs }] : []
      })
      return (await Promise.all(files)).flat()
    },
    async remove(names) {
      await Promise.all(names.map((name) => rm(join(dir, name), { force: true })))
    },
  }
}

function objectsOf(place: string): SharedFiles {
  const files = s3Files(place)
  return {
    read: async (name) => await files.read(name),
    write: async (name, content) => {
      await files.write(name, content)
    },
    async list(folder) {
      const start = folder === '' ? '' : `${folder}/`
      const found = await files.list(start)
      return found.filter(({ name }) => !name.slice(start.length).includes('/'))
    },
    remove: async (names) => {
      await files.remove(names)
    },
  }
}
