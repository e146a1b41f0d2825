import { lstat, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { SinkError } from '../sink-error.ts'

/** Versions that stay for their readers, the current one included. */
export const KEPT_VERSIONS = 3

/** The folder of published versions, and the link that readers open. Absolute paths. */
export interface VersionPlace {
  dir: string
  link: string
}

/**
 * Refuses a link path that has anything but coinlake's link into its folder.
 *
 * @param name form of a version's name
 * @throws SinkError PUBLISH_TARGET_FOREIGN
 */
export async function requireOwnLink({ dir, link }: VersionPlace, name: RegExp): Promise<void> {
  const found = await lstat(link).catch(() => null)
  if (found === null) return
  if (found.isSymbolicLink()) {
    const target = resolve(dirname(link), await readlink(link))
    if (dirname(target) === resolve(dir) && name.test(basename(target))) return
  }
  throw new SinkError(`${link} is in the way: it is no link that coinlake made`, {
    code: 'PUBLISH_TARGET_FOREIGN',
    hint: `Move ${basename(link)} aside, or choose another warehouse; it was left as it is.`,
  })
}

/** Points a symlink at `target` in one step. A relative target lets a warehouse be moved. */
export async function moveLink(link: string, target: string): Promise<void> {
  const temp = `${link}.tmp`
  await rm(temp, { force: true })
  await symlink(target, temp)
  await rename(temp, link)
}
