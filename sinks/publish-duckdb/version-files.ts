import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { KEPT_VERSIONS, type VersionPlace } from '../publish/version-link.ts'
import { factsPath } from './version-facts.ts'

export const VERSION_NAME = /^coinlake-\d{8}T\d{6}-[0-9A-Za-z-]+\.duckdb$/
const LEFTOVER_NAME = /^coinlake-.*\.tmp(?:\.wal)?$/

/** No path is used twice, because a pooled reader would still see the file that it opened under the path. */
export function newVersionPath(dir: string, publishedAtMs: number): string {
  const stamp = new Date(publishedAtMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  return join(dir, `coinlake-${stamp}-${randomBytes(4).toString('hex')}.duckdb`)
}

/** Removes the remains of killed publishers: unfinished files, and facts without a file. */
export async function sweepLeftovers(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true })
  const names = await readdir(dir)
  const known = new Set(names)
  for (const name of names) {
    const isOrphan = name.endsWith('.duckdb.json') && !known.has(name.slice(0, -'.json'.length))
    if (LEFTOVER_NAME.test(name) || isOrphan) await rm(join(dir, name), { force: true })
  }
}

/**
 * Moves write-ahead logs of other programs aside. DuckDB would silently replay them into the next published file.
 *
 * @returns one warning per log
 */
export async function moveForeignWalAside({ dir, link }: VersionPlace): Promise<string[]> {
  const found = (await readdir(dir)).filter((name) => name.endsWith('.duckdb.wal'))
  const paths = found.map((name) => join(dir, name))
  const besideLink = `${link}.wal`
  if ((await lstat(besideLink).catch(() => null)) !== null) paths.push(besideLink)
  const warnings: string[] = []
  for (const path of paths) {
    const aside = await freeName(`${path}.aside`)
    await rename(path, aside)
    warnings.push(
      `${path} was left by a program that wrote to the published file; moved to ${aside}. Open published files read-only.`,
    )
  }
  return warnings
}

async function freeName(base: string): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const name = copy === 1 ? base : `${base}-${copy}`
    if ((await lstat(name).catch(() => null)) === null) return name
  }
}

/** Keeps the current version and the newest others by modification time, KEPT_VERSIONS in all. */
export async function pruneVersions(dir: string, current: string): Promise<void> {
  const versions: { path: string; writtenAtMs: number }[] = []
  for (const name of await readdir(dir)) {
    const path = join(dir, name)
    if (!VERSION_NAME.test(name) || path === current) continue
    versions.push({ path, writtenAtMs: (await stat(path)).mtimeMs })
  }
  versions.sort((a, b) => b.writtenAtMs - a.writtenAtMs)
  for (const { path } of versions.slice(KEPT_VERSIONS - 1)) {
    await rm(path, { force: true })
    await rm(factsPath(path), { force: true })
  }
}
