import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissing, readIfThere } from './page-files.ts'
import { isS3, s3Files } from './s3-files.ts'

/** Files of one slice in a stage. */
export interface SliceFiles {
  sliceId: string
  generation: number
  /** Below the stage: see sliceFolder. */
  folder: string
  names: string[]
}

/** Reads what a stage keeps, in a folder or in a bucket; changes nothing. */
export interface ArchiveFiles {
  /** All slices that have files, or those of `only` by their ids. */
  slices(only?: ReadonlySet<string>): Promise<SliceFiles[]>
  /** By path below the stage; null when it is not there. */
  read(path: string): Promise<Buffer | null>
}

const SLICE_FOLDER = /^([0-9a-f]{20})-g(\d+)$/

/** The files of a stage. @throws StageError for a bucket that cannot be read */
export function archiveFiles(place: string): ArchiveFiles {
  return isS3(place) ? inBucket(place) : inFolder(place)
}

function inFolder(dir: string): ArchiveFiles {
  const namesIn = async (folder: string): Promise<string[]> =>
    (await readdir(join(dir, folder)).catch(ignoreMissing)) ?? []
  return {
    async slices(only) {
      const found: SliceFiles[] = []
      for (const digits of await namesIn('pages')) {
        for (const name of await namesIn(join('pages', digits))) {
          const slice = sliceOf(name, only)
          if (slice === null) continue
          const folder = join('pages', digits, name)
          found.push({ ...slice, folder, names: await namesIn(folder) })
        }
      }
      return found
    },
    read: (path) => readIfThere(join(dir, path)),
  }
}

function inBucket(place: string): ArchiveFiles {
  const files = s3Files(place)
  return {
    async slices(only) {
      const prefixes =
        only === undefined
          ? ['pages/']
          : [...only].map((sliceId) => `pages/${sliceId.slice(0, 2)}/${sliceId}-g`)
      const found = new Map<string, SliceFiles>()
      for (const prefix of prefixes) {
        for (const { name } of await files.list(prefix)) {
          const [, digits = '', folderName = '', file = ''] = name.split('/')
          const slice = sliceOf(folderName, only)
          if (slice === null) continue
          const folder = `pages/${digits}/${folderName}`
          const known = found.get(folder) ?? { ...slice, folder, names: [] }
          known.names.push(file)
          found.set(folder, known)
        }
      }
      return [...found.values()]
    },
    read: (path) => files.read(path),
  }
}

function sliceOf(
  name: string,
  only: ReadonlySet<string> | undefined,
): Pick<SliceFiles, 'sliceId' | 'generation'> | null {
  const [, sliceId, generation] = SLICE_FOLDER.exec(name) ?? []
  if (sliceId === undefined || only?.has(sliceId) === false) return null
  return { sliceId, generation: Number(generation) }
}
