import { constants } from 'node:fs'
import {
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { syncFolder } from '../../config/atomic-file.ts'
import { moveLink } from '../publish/move-link.ts'
import { SinkError } from '../sink-error.ts'
import { MANIFEST } from './manifest.ts'
import { VIEWS_SQL } from './views-sql.ts'

/** Name of the link in the tree that leads to the newest snapshot. */
export const SNAPSHOT = 'snapshot'
/** Hidden, so that nobody who lists the tree's tables meets it. */
const FOLDER = '.snapshots'
/** Kept for readers that have resolved the link, the newest included. */
const KEPT_SNAPSHOTS = 3
const NAME = /^\d+$/

/**
 * Snapshots of the tree: folders that never change, each with the whole tree of one publication. Their
 * files are those of the tree under a second name, so a snapshot takes no room but for months that have
 * changed since. Who resolves the link once reads one moment over all tables and months, whatever is
 * published meanwhile.
 *
 * @returns whether one was made: not when the newest is of this manifest already
 * @throws SinkError PUBLISH_TARGET_FOREIGN when something else has the name of the link
 */
export async function makeSnapshot(dir: string, paths: readonly string[]): Promise<boolean> {
  const linkPath = join(dir, SNAPSHOT)
  const folder = join(dir, FOLDER)
  await requireOwnLink(linkPath)
  const files = [...paths, VIEWS_SQL, MANIFEST]
  if (await isCurrent(dir, linkPath, files)) return false

  await mkdir(folder, { recursive: true })
  const numbers = await sweep(folder)
  const name = String(Math.max(0, ...numbers) + 1)
  const made = join(folder, `${name}.tmp`)
  for (const parent of new Set(files.map((path) => dirname(join(made, path))))) {
    await mkdir(parent, { recursive: true })
  }
  for (const path of files) await linkOrCopy(join(dir, path), join(made, path))
  await rename(made, join(folder, name))
  await syncFolder(folder)
  await moveLink(linkPath, relative(dir, join(folder, name)))
  const old = numbers.toSorted((a, b) => b - a).slice(KEPT_SNAPSHOTS - 1)
  for (const number of old) await removeFolder(join(folder, String(number)))
  return true
}

/** The folder that the link leads to, absolute; the tree itself where an older coinlake has published. */
export async function newestSnapshot(dir: string): Promise<string> {
  try {
    return join(dir, await readlink(join(dir, SNAPSHOT)))
  } catch {
    return dir
  }
}

/** Numbers of the snapshots that are there; what killed publishers left is removed. */
async function sweep(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  for (const name of names) {
    if (!NAME.test(name)) await rm(join(folder, name), { recursive: true, force: true })
  }
  return names.filter((name) => NAME.test(name)).map(Number)
}

/** Under another name first: half of a snapshot must not look like one. */
async function removeFolder(path: string): Promise<void> {
  await rename(path, `${path}.tmp`)
  await rm(`${path}.tmp`, { recursive: true, force: true })
}

/** Not every file system gives a file two names; then a snapshot takes the room of the tree. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'].includes(code)) throw error
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  }
}

/** The same manifest and views, and every file still there in full. */
async function isCurrent(
  dir: string,
  snapshot: string,
  files: readonly string[],
): Promise<boolean> {
  const texts = (at: string): Promise<string[]> =>
    Promise.all([VIEWS_SQL, MANIFEST].map((name) => readFile(join(at, name), 'utf8')))
  try {
    if ((await texts(dir)).join('') !== (await texts(snapshot)).join('')) return false
    for (const path of files) {
      const [one, other] = [await stat(join(dir, path)), await stat(join(snapshot, path))]
      if (one.size !== other.size) return false
    }
    return true
  } catch {
    return false
  }
}

async function requireOwnLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return
  if (found.isSymbolicLink() && (await readlink(path)).startsWith(`${FOLDER}/`)) return
  throw new SinkError(`${path} is in the way: it is no link that coinlake made`, {
    code: 'PUBLISH_TARGET_FOREIGN',
    hint: 'Move it aside, or choose another warehouse; it was left as it is.',
  })
}
