import { constants } from 'node:fs'
import {
  copyFile,
  link as hardLink,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  unlink,
} from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { syncFolder } from '../../config/atomic-file.ts'
import { crashPoint } from '../../config/crash-point.ts'
import { renameDurably, syncFile } from '../publish/durable-files.ts'
import {
  KEPT_VERSIONS,
  moveLink,
  requireOwnLink,
  type VersionPlace,
} from '../publish/version-link.ts'
import { MANIFEST, readManifest } from './manifest.ts'
import { VIEWS_SQL } from './views-sql.ts'

const VERSION_NAME = /^\d+$/
/** Suffix of a version during its removal. Half a version must not look like one. */
const GONE = '.gone'
/** The link to the newest snapshot in an old tree. That tree was a folder in the place of today's link. */
const OLD_SNAPSHOT = 'snapshot'
/** Folders beside that link. Only an older coinlake made them. */
const OLD_FOLDERS = ['.snapshots', '.unfinished']

/** The folder of the next version, hidden from readers. */
export function draftOf(dir: string): string {
  return join(dir, '.draft')
}

/**
 * Whether a folder of an older coinlake stands in the place of the link.
 *
 * @throws SinkError PUBLISH_TARGET_FOREIGN: neither such a folder nor coinlake's link
 */
export async function isOldTree(place: VersionPlace): Promise<boolean> {
  if (await isFolder(place.link)) {
    if ((await readdir(place.link)).length === 0 || (await hasOldSnapshot(place.link))) return true
    if ((await readManifest(join(place.link, MANIFEST))) !== null) return true
  }
  await requireOwnLink(place, VERSION_NAME)
  return false
}

/** The absolute folder of the linked version. Readers use this path, because the link may move. */
export async function shownVersion(link: string): Promise<string> {
  const target = await readlink(link).catch(() => basename(link))
  return resolve(dirname(link), target)
}

/** Hard-links files of the current version into the draft, or copies those that cannot be linked. */
export async function carryOverFiles(from: string, draft: string, paths: string[]): Promise<void> {
  for (const folder of new Set(paths.map(dirname))) {
    await mkdir(join(draft, folder), { recursive: true })
  }
  for (const path of paths) await linkOrCopy(join(from, path), join(draft, path))
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await hardLink(from, to).catch(async () => {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
    await syncFile(to)
  })
}

/**
 * Shows the complete draft to readers. The folder of an older coinlake becomes the version before. Readers then find
 * nothing until the link takes its place. If the publisher is killed there, the next one mends it.
 */
export async function showDraft({ dir, link }: VersionPlace): Promise<void> {
  const draft = draftOf(dir)
  // Files, the draft folder and its manifest are synced when written. Here the table folders are synced.
  for (const entry of await readdir(draft, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolder(join(draft, entry.name))
  }
  const next = Math.max(0, ...(await versions(dir))) + 1
  const isOld = await isFolder(link)
  const version = join(dir, String(isOld ? next + 1 : next))
  crashPoint('publish.rename.before')
  await renameDurably(draft, version)
  crashPoint('publish.rename.after')
  crashPoint('publish.manifest.before')
  if (isOld) await rename(link, join(dir, String(next)))
  await moveLink(link, relative(dirname(link), version))
  crashPoint('publish.manifest.after')
}

/**
 * Keeps the shown version and the newest others, so that with the next one there are KEPT_VERSIONS. Also removes versions
 * after the shown one: their publishers were killed before showing them.
 */
export async function pruneVersions({ dir, link }: VersionPlace): Promise<void> {
  // NaN: no link leads to a version. NaN is neither before nor after any number.
  const shown = Number(basename(await shownVersion(link)))
  const found = (await versions(dir)).toSorted((a, b) => b - a)
  const unseen = found.filter((number) => number > shown)
  const seen = found.filter((number) => !unseen.includes(number) && number !== shown)
  for (const number of [...unseen, ...seen.slice(KEPT_VERSIONS - 2)]) {
    const path = join(dir, String(number))
    await rename(path, path + GONE)
    await removeVersion(path + GONE)
  }
}

export async function sweepVersions(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true })
  await rm(draftOf(dir), { recursive: true, force: true })
  const gone = (await readdir(dir)).filter((name) => name.endsWith(GONE))
  for (const name of gone) await removeVersion(join(dir, name))
}

async function versions(dir: string): Promise<number[]> {
  return (await readdir(dir)).filter((name) => VERSION_NAME.test(name)).map(Number)
}

/** Removes the files of a version. Files of other programs stay, with their folder. */
async function removeVersion(path: string): Promise<void> {
  const manifest = await readManifest(join(path, MANIFEST))
  const paths = manifest?.files.map((file) => file.path) ?? []
  const removed = await Promise.all(paths.map((file) => tryRemove(join(path, file))))
  const rmdirIfEmpty = (name: string) => rmdir(join(path, name)).catch(() => undefined)
  for (const folder of new Set(paths.map(dirname))) await rmdirIfEmpty(folder)
  // The manifest of a file that cannot be removed stays, and the next publication tries again.
  if (removed.includes(false)) return
  // Link and manifest prove that the other names are coinlake's. They go last, so a killed removal can continue.
  if (await hasOldSnapshot(path)) {
    for (const name of OLD_FOLDERS) await rm(join(path, name), { recursive: true, force: true })
    await unlink(join(path, OLD_SNAPSHOT))
  }
  if (manifest !== null) {
    await unlink(join(path, VIEWS_SQL)).catch(() => undefined)
    await unlink(join(path, MANIFEST))
  }
  await rmdirIfEmpty('.')
}

/** Removes a file. @returns false when the file is still there */
async function tryRemove(path: string): Promise<boolean> {
  try {
    await unlink(path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** Whether `path` has the link of an older coinlake. A user's own folder of that name does not count. */
async function hasOldSnapshot(path: string): Promise<boolean> {
  const target = await readlink(join(path, OLD_SNAPSHOT)).catch(() => '')
  return target.startsWith('.snapshots/')
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() === true
}
