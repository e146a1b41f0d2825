import { rename, rm, symlink } from 'node:fs/promises'

/** Points a symlink at `target` in one step. A relative target lets a warehouse be moved. */
export async function moveLink(link: string, target: string): Promise<void> {
  const temp = `${link}.tmp`
  await rm(temp, { force: true })
  await symlink(target, temp)
  await rename(temp, link)
}
