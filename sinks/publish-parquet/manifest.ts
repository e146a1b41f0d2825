import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { requireAbsence } from '../is-there.ts'
import { SCHEMA_VERSION } from '../ledger/row-tables.ts'
import type { PublishRun } from '../publication.ts'

export const MANIFEST = 'manifest.json'
const FORMAT = 1

const sortKeyBound = z.record(z.string(), z.string().nullable())

export const fileSchema = z.object({
  /** Relative to the tree, and never out of it, because a tree may come from elsewhere. */
  path: z.string().refine((path) => !path.startsWith('/') && !path.split('/').includes('..')),
  table: z.string().regex(/^\w+$/),
  /** YYYY-MM in UTC; `all`: the table is one file. */
  month: z.string(),
  rows: z.number(),
  size_bytes: z.number(),
  sha256: z.string(),
  /** The load that last changed these rows. */
  load_id: z.number(),
  /** For a table of newest rows: fingerprint of the loads behind them (../newest/loads-fingerprint.ts). */
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
  files: z.array(fileSchema),
  /** Months without a file, because a load removed their last row. */
  vanished: z.array(z.object({ table: z.string(), month: z.string(), load_id: z.number() })),
  /** Files of earlier versions that stay for their readers. Only Delta Lake tables have them. */
  retired: z.array(z.object({ path: z.string() })).optional(),
})

export type ManifestFile = z.infer<typeof fileSchema>
/** The files of a version of the tree, and the moment that they show. */
export type Manifest = z.infer<typeof manifestSchema>

export function newManifest(
  run: PublishRun,
  { files, vanished }: Pick<Manifest, 'files' | 'vanished'>,
): Manifest {
  return {
    generator: 'coinlake',
    format: FORMAT,
    run_id: run.runId,
    published_at: new Date(run.publishedAtMs).toISOString(),
    coinlake_version: run.coinlakeVersion,
    schema_version: SCHEMA_VERSION,
    files,
    vanished,
  }
}

/**
 * The manifest of the tree; null: missing or damaged, so all files are written again.
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
