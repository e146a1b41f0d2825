import { join } from 'node:path'
import { z } from 'zod'
import { isS3, type ObjectFiles } from '../../stage/s3-files.ts'
import {
  type Manifest,
  MANIFEST,
  manifestSchema,
  readManifest,
} from '../publish-parquet/manifest.ts'
import { KEPT_VERSIONS } from '../publish/version-link.ts'
import { SinkError } from '../sink-error.ts'
import { isExpired } from './delta-actions.ts'
import { filesAt } from './folder-files.ts'

const loggedTable = z.object({
  version: z.number().int(),
  /** Fingerprint of its columns and descriptions. */
  definition: z.string(),
  /** Versions with a checkpoint and its time, oldest first. */
  checkpoints: z.array(z.object({ version: z.number().int(), at: z.string() })),
})

const deltaManifest = manifestSchema.extend({
  /** From 1, one more with each publication. */
  version: z.number().int(),
  warehouse: z.string(),
  /** The Delta tables by name. Older publications have none. */
  tables: z.record(z.string(), loggedTable).default({}),
  /** Script for DuckDB with the tables and views of this version, relative to the place. */
  views_sql: z.string(),
  /** Objects of earlier versions only. `version`: the first one without the object; `at`: its time. */
  retired: z.array(
    z.object({ path: z.string(), version: z.number().int(), at: z.string().optional() }),
  ),
})

export type LoggedTable = z.infer<typeof loggedTable>

/** The versions of all tables at one moment, and their files. Replaced in one step. No path is written twice. */
export type DeltaManifest = z.infer<typeof deltaManifest>

export interface MarkedManifest {
  manifest: DeltaManifest
  /** For ObjectFiles.replace. */
  mark: string
}

/**
 * The manifest of a place; null: nothing is published.
 *
 * @param place `s3://bucket/prefix`, or a folder
 * @throws SinkError PUBLISH_TARGET_FOREIGN; StageError STAGE_S3_DENIED, STAGE_S3_UNREACHABLE
 */
export async function readDeltaManifest(
  place: string,
  files: ObjectFiles = filesAt(place),
): Promise<MarkedManifest | null> {
  const found = await files.readMarked(MANIFEST)
  if (found === null) return null
  try {
    const document: unknown = JSON.parse(found.content.toString('utf8'))
    return { manifest: deltaManifest.parse(document), mark: found.mark }
  } catch (cause) {
    // Objects are never partly written, so this is no leftover of coinlake.
    throw new SinkError(`${place}/${MANIFEST} is in the way: it is no manifest of this coinlake`, {
      code: 'PUBLISH_TARGET_FOREIGN',
      hint: 'Name another prefix with `parquet.at`, or remove that object; it was left as it is.',
      cause,
    })
  }
}

/** The manifest of a Parquet publication in a folder or a bucket; null: nothing is published. @throws as those above */
export async function manifestAt(place: string): Promise<Manifest | null> {
  if (!isS3(place)) return await readManifest(join(place, MANIFEST))
  return (await readDeltaManifest(place))?.manifest ?? null
}

/**
 * The `retired` of the next manifest: objects of earlier versions only. They stay for at least a day, and as long as one
 * of the newest KEPT_VERSIONS versions has them.
 *
 * @param removed the objects that this version no longer names
 */
export function nextRetired(
  before: DeltaManifest | null,
  { version, nowMs }: { version: number; nowMs: number },
  removed: ReadonlySet<string>,
): DeltaManifest['retired'] {
  const at = new Date(nowMs).toISOString()
  const fresh = [...removed].map((path) => ({ path, version, at }))
  const kept = (before?.retired ?? []).filter((one) => {
    // Version v is the first without an object, so version v - 1 was the last with it.
    const isLate = isExpired(one.at ?? before?.published_at ?? at, nowMs)
    return one.version - 1 > version - KEPT_VERSIONS || !isLate
  })
  return [...kept.filter(({ path }) => !removed.has(path)), ...fresh]
}
