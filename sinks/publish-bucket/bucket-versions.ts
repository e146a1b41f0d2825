import { randomBytes } from 'node:crypto'
import type { S3Files } from '../../stage/s3-files.ts'
import type { BucketManifest } from './bucket-manifest.ts'

const VERSIONS = 'versions/'
const OBJECT = /^versions\/(\d+)-[0-9a-f]{8}\//

/**
 * A prefix of its own for the objects of a version that is about to be made. Two publishers that make
 * the same version at once get different ones, so that no object is ever written twice.
 */
export function newVersionPrefix(version: number): string {
  return `${VERSIONS}${version}-${randomBytes(4).toString('hex')}`
}

/** All objects of all versions, whole or begun, by name with their size in bytes. */
export async function versionObjects(files: S3Files): Promise<Map<string, number>> {
  const listed = await files.list(VERSIONS)
  return new Map(listed.map(({ name, sizeBytes }) => [name, sizeBytes]))
}

/**
 * Removes objects that no kept version names: of versions that had their time, and of publishers that
 * were killed or overtaken. Whoever is making the next version has a higher number, and whoever is late
 * with this one cannot publish it any more, so nothing is taken from under anybody.
 *
 * @param listed objects of our versions; names of other forms are somebody else's and stay
 * @returns how many
 */
export async function sweepVersions(
  files: S3Files,
  listed: Iterable<string>,
  { version, files: named, retired, views_sql: viewsSql }: BucketManifest,
): Promise<number> {
  const kept = new Set([viewsSql, ...[...named, ...retired].map(({ path }) => path)])
  const gone = [...listed].filter((name) => {
    const number = OBJECT.exec(name)?.[1]
    return number !== undefined && Number(number) <= version && !kept.has(name)
  })
  await files.remove(gone)
  return gone.length
}
