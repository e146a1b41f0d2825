import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { requireAbsence } from '../is-there.ts'
import { writeJsonDurably } from '../publish/durable-files.ts'

/** Name of the manifest in the tree. */
export const MANIFEST = 'manifest.json'
const FORMAT = 1

const sortKeyBound = z.record(z.string(), z.string().nullable())

/** The entry of a file. */
export const manifestFile = z.object({
  /** Relative to the tree. A path must not lead out of it, because a tree may come from elsewhere. */
  path: z.string().refine((path) => !path.startsWith('/') && !path.split('/').includes('..')),
  table: z.string().regex(/^\w+$/),
  /** YYYY-MM in UTC, or `all` for a table that is one file. */
  month: z.string(),
  rows: z.number(),
  size_bytes: z.number(),
  sha256: z.string(),
  /** The load that last changed these rows. */
  load_id: z.number(),
  /** For a table of newest rows: fingerprint of the loads that its rows come from (newest/loads-fingerprint.ts). */
  follows: z.string().optional(),
  /** Fingerprint of columns, descriptions, order and encoding. */
  definition: z.string(),
  /** Smallest and largest value of each sort column as text, times in ISO UTC. */
  min: sortKeyBound,
  max: sortKeyBound,
})

export const manifestSchema = z.object({
  generator: z.literal('coinlake'),
  format: z.literal(FORMAT),
  run_id: z.string(),
  published_at: z.string(),
  coinlake_version: z.string(),
  schema_version: z.number(),
  files: z.array(manifestFile),
  /** Months without a file, because a load removed their last row. */
  vanished: z.array(z.object({ table: z.string(), month: z.string(), load_id: z.number() })),
  /** Files of earlier versions that stay for their readers; only of Delta Lake tables. */
  retired: z.array(z.object({ path: z.string() })).optional(),
})

/** One file of the tree. */
export type ManifestFile = z.infer<typeof manifestFile>
/** The files of a version of the tree, and the moment that they show. */
export type Manifest = z.infer<typeof manifestSchema>

/** A manifest of this format. */
export function newManifest(facts: Omit<Manifest, 'generator' | 'format'>): Manifest {
  return { generator: 'coinlake', format: FORMAT, ...facts }
}

/**
 * The manifest of the tree. null = there is none, or it is damaged, so all files are written again.
 *
 * @throws SinkError WAREHOUSE_UNREADABLE
 */
export async function readManifest(path: string): Promise<Manifest | null> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    requireAbsence(path, error)
    return null
  }
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Writes a manifest in one step. */
export async function writeManifest(path: string, value: Manifest): Promise<void> {
  await writeJsonDurably(path, value)
}
