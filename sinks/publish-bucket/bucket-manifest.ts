import { z } from 'zod'
import { s3Files } from '../../stage/s3-files.ts'
import type { S3Files } from '../../stage/s3-files.ts'
import { MANIFEST, manifestSchema } from '../publish-parquet/manifest.ts'
import { KEPT_VERSIONS } from '../publish/version-link.ts'
import { SinkError } from '../sink-error.ts'

const bucketManifest = manifestSchema.extend({
  /** From 1, one more with each publication. */
  version: z.number().int(),
  /** Name of the warehouse that publishes here. */
  warehouse: z.string(),
  /** Script for DuckDB with the tables and views of this version, relative to the place. */
  views_sql: z.string(),
  /** Objects that earlier versions name, and the first version that does not. */
  retired: z.array(z.object({ path: z.string(), version: z.number().int() })),
})

/**
 * What a bucket publishes: the tree's manifest, with paths of objects that are never written twice. It is
 * replaced by one PUT, so who reads it once has one moment over all tables and months.
 */
export type BucketManifest = z.infer<typeof bucketManifest>

/** The manifest as it was read. */
export interface ReadManifest {
  manifest: BucketManifest
  /** See S3Files.replace. */
  mark: string
}

/**
 * The manifest of a bucket; null where nothing is published.
 *
 * @param place `s3://bucket/prefix`
 * @throws SinkError PUBLISH_TARGET_FOREIGN; StageError STAGE_S3_DENIED, STAGE_S3_UNREACHABLE
 */
export async function readBucketManifest(
  place: string,
  files: S3Files = s3Files(place),
): Promise<ReadManifest | null> {
  const found = await files.readMarked(MANIFEST)
  if (found === null) return null
  try {
    const document: unknown = JSON.parse(found.content.toString('utf8'))
    return { manifest: bucketManifest.parse(document), mark: found.mark }
  } catch (cause) {
    // Objects are whole or not there, so this is no rest of ours.
    throw new SinkError(`${place}/${MANIFEST} is in the way: it is no manifest of this coinlake`, {
      code: 'PUBLISH_TARGET_FOREIGN',
      hint: 'Name another prefix with `parquet.at`, or remove that object; it was left as it is.',
      cause,
    })
  }
}

/** Objects that the version after `before` does not name and readers of the kept ones may still read. */
export function retiredAfter(
  before: BucketManifest | null,
  version: number,
  named: ReadonlySet<string>,
): BucketManifest['retired'] {
  if (before === null) return []
  const last = [before.views_sql, ...before.files.map(({ path }) => path)]
  const fresh = last.filter((path) => !named.has(path)).map((path) => ({ path, version }))
  // One that version v is the first without was named by v - 1 last.
  const kept = before.retired.filter((one) => one.version - 1 > version - KEPT_VERSIONS)
  return [...kept, ...fresh]
}
