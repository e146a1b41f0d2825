import type { ObjectFiles } from '../../stage/s3-files.ts'
import { entriesBefore } from './delta-log.ts'
import { isExpired } from './delta-actions.ts'
import type { DeltaManifest } from './delta-manifest.ts'

/** The views of a version, and files of an older coinlake. */
const OF_A_VERSION = /^versions\/(\d+)-[0-9a-f]{8}\//
const DATA_FILE = /^(\w+)\/(?:\d{4}-\d{2}|all)-[0-9a-f]{16}\.parquet$/

/** All objects of a place by name, with their sizes in bytes. */
export async function objectSizes(files: ObjectFiles): Promise<Map<string, number>> {
  const listed = await files.list('')
  return new Map(listed.map(({ name, sizeBytes }) => [name, sizeBytes]))
}

/**
 * Removes expired objects, and those that killed or overtaken publishers can no longer commit. These are uncommitted
 * files of tables in `committed`, and views of this or an earlier version. Objects with other names stay.
 *
 * @param listed the objects before the store was read
 * @param before the manifest that this one has replaced
 */
export async function sweepObjects(
  files: ObjectFiles,
  listed: readonly string[],
  {
    before,
    now,
    committed,
  }: { before: DeltaManifest | null; now: DeltaManifest; committed: ReadonlySet<string> },
): Promise<void> {
  const kept = new Set([now.views_sql, ...[...now.files, ...now.retired].map(({ path }) => path)])
  const ofNobody = listed.filter((name) => {
    const number = OF_A_VERSION.exec(name)?.[1]
    if (number !== undefined) return Number(number) <= now.version
    return committed.has(DATA_FILE.exec(name)?.[1] ?? '')
  })
  const expired = before?.retired.map(({ path }) => path) ?? []
  const gone = new Set([...expired, ...ofNobody].filter((name) => !kept.has(name)))
  await files.remove([...gone, ...oldEntries(listed, now)])
}

/** Log entries before a checkpoint that is old enough for all readers to begin there. */
function oldEntries(
  listed: readonly string[],
  { tables, published_at: publishedAt }: DeltaManifest,
): string[] {
  return Object.entries(tables).flatMap(([table, { checkpoints }]) => {
    const [first] = checkpoints
    const isOld = first !== undefined && isExpired(first.at, Date.parse(publishedAt))
    return isOld ? entriesBefore(table, first.version, listed) : []
  })
}
