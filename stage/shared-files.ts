import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { writeDurably } from '../config/atomic-file.ts'
import type { CrashPlace } from '../config/crash-point.ts'
import { isS3, s3Files } from './s3-files.ts'
import { StageError } from './stage-error.ts'

export interface SharedFile {
  name: string
  /** In a folder, time and size are read on access. A file that is gone counts as new and empty. */
  readonly modifiedMs: number
  readonly sizeBytes: number
}

/** The files of a stage: pages, and small files beside them. All workers of a shared stage read and write them. */
export interface SharedFiles {
  read(name: string): Promise<Buffer | null>
  /** Writes a file, whole or not at all. */
  write(name: string, content: Uint8Array | string, crashPlace?: CrashPlace): Promise<void>
  /** The files directly in a folder; '': the place itself. */
  list(folder: string): Promise<SharedFile[]>
  /** The files in a folder and below it. */
  listDeep(folder: string): Promise<SharedFile[]>
  /** Moves a file; a missing file is ignored. */
  move(name: string, to: string): Promise<void>
  remove(names: readonly string[]): Promise<void>
}

/** The files below a folder or below `s3://bucket/prefix`. @throws StageError */
export function sharedFiles(place: string): SharedFiles {
  return isS3(place) ? objectsOf(place) : filesOf(place)
}

function filesOf(dir: string): SharedFiles {
  // Files are written here and then moved. The folder is on the same file system.
  const tempDir = join(dir, 'tmp')
  const listIn = (folder: string, recursive: boolean): SharedFile[] => {
    const path = join(dir, folder)
    // `existsSync` costs a hundredth of a thrown error. Another thread would cost more than reading the names.
    if (!existsSync(path)) return []
    const entries = readdirSync(path, { withFileTypes: true, recursive })
    const files = entries.filter((entry) => entry.isFile())
    return files.map(({ parentPath, name }) => new DiskFile(dir, join(parentPath, name)))
  }
  return {
    read: async (name) => readIfThere(join(dir, name)),
    async write(name, content, crashPlace) {
      const path = join(dir, name)
      await writeDurably(path, content, { tempDir, place: crashPlace }).catch((error: unknown) => {
        throw asStageError(path, error)
      })
    },
    list: async (folder) => listIn(folder, false),
    listDeep: async (folder) => listIn(folder, true),
    async move(name, to) {
      await mkdir(join(dir, to, '..'), { recursive: true, mode: 0o700 })
      await rename(join(dir, name), join(dir, to)).catch(ignoreMissing)
    },
    async remove(names) {
      await Promise.all(names.map((name) => rm(join(dir, name), { force: true })))
    },
  }
}

class DiskFile implements SharedFile {
  readonly name: string
  readonly #path: string

  constructor(dir: string, path: string) {
    this.#path = path
    this.name = relative(dir, path)
  }

  get modifiedMs(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  }

  get sizeBytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0
  }
}

/**
 * Reads in this thread. A page was written a moment ago, so its bytes are in the system's memory. A read by another
 * thread has four steps, and each waits until this thread is done with answers that came meanwhile.
 */
function readIfThere(path: string): Buffer | null {
  if (!existsSync(path)) return null
  try {
    return readFileSync(path)
  } catch (error) {
    ignoreMissing(error as NodeJS.ErrnoException)
    return null
  }
}

/** For `.catch`: ignores a missing file. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

function objectsOf(place: string): SharedFiles {
  const files = s3Files(place)
  return {
    ...files,
    async list(folder) {
      const start = folder === '' ? '' : `${folder}/`
      const found = await files.list(start)
      return found.filter(({ name }) => !name.slice(start.length).includes('/'))
    },
    listDeep: (folder) => files.list(`${folder}/`),
    async move(name, to) {
      const content = await files.read(name)
      if (content === null) return
      await files.write(to, content)
      await files.remove([name])
    },
  }
}

function asStageError(path: string, error: unknown): StageError {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StageError(`no space left for the stage file ${path}`, {
      code: 'STAGE_DISK_FULL',
      hint: 'Free some space or move the warehouse, then run the same command again: it goes on where it stopped.',
      cause: error,
    })
  }
  return new StageError(`cannot write the stage file ${path}: ${message}`, {
    code: 'STAGE_NOT_WRITABLE',
    hint: 'Make the warehouse folder writable for this user, or set another `warehouse`.',
    cause: error,
  })
}
