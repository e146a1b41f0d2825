import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { s3Files } from '../../stage/s3-files.ts'
import { SCHEMA_VERSION } from '../ledger/schema-versions.ts'
import type { Publication, PublishReport } from '../publication.ts'
import { MANIFEST, newManifest } from '../publish-parquet/manifest.ts'
import type { ManifestFile } from '../publish-parquet/manifest.ts'
import { refreshFiles } from '../publish-parquet/refresh-files.ts'
import type { RefreshedFiles } from '../publish-parquet/refresh-files.ts'
import { readFilesSql, VIEWS_SQL, viewsSql } from '../publish-parquet/views-sql.ts'
import { type ParquetVersion, writePartition } from '../publish-parquet/write-partition.ts'
import { fileSha256 } from '../publish/durable-files.ts'
import { publishInTurn } from '../publish/publish-in-turn.ts'
import { storeReader } from '../publish/store-reader.ts'
import { SinkUnreachableError } from '../sink-error.ts'
import { readBucketManifest, retiredAfter } from './bucket-manifest.ts'
import type { BucketManifest } from './bucket-manifest.ts'
import { newVersionPrefix, sweepVersions, versionObjects } from './bucket-versions.ts'

/** More publishers than this in a row ahead of one mean that something is wrong. */
const MAX_ATTEMPTS = 10

const VIEWS_HEAD = `-- Tables and analyst views over one version of this Parquet tree, for DuckDB with httpfs and a secret for S3.
-- The newest version is named by ${MANIFEST}.
`

export interface BucketPublicationOptions {
  /** A connection of the store's own instance; `_partitions` must exist in the store. */
  connection: DuckDBConnection
  tables: readonly TableSpec[]
  /** `s3://bucket/prefix`. */
  place: string
  /** Name of the warehouse: what another one has published here is not taken for ours. */
  warehouse: string
  version: ParquetVersion
  /** A folder of this process alone for files on their way, absolute; it is emptied. */
  scratchDir: string
}

type Run = Parameters<Publication['publish']>[0]

/**
 * The Parquet tree in a bucket, for readers on other machines. Objects are written once and shared by
 * the versions that need them; the manifest comes last, by one PUT that only replaces the manifest
 * that this version was made from. So several workers may publish at once: one of them is overtaken,
 * and looks again. Half an upload is named by nobody and goes with a later publication.
 */
export function createBucketPublication(options: BucketPublicationOptions): Publication {
  const { connection, tables, place, warehouse, version: parquetVersion, scratchDir } = options
  const files = s3Files(place)

  async function publish(run: Run): Promise<PublishReport> {
    const startedMs = performance.now()
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const made = await publishOnce(run)
        if (made !== null) return { ...made, durationMs: Math.round(performance.now() - startedMs) }
      }
    } finally {
      await rm(scratchDir, { recursive: true, force: true })
    }
    throw new SinkUnreachableError(
      `${place} was published by others ${MAX_ATTEMPTS} times meanwhile`,
      {
        code: 'PUBLISH_OVERTAKEN',
        hint: 'Give each warehouse a prefix of its own with `parquet.at`; nothing that was loaded is lost.',
      },
    )
  }

  /** null: somebody else has published meanwhile. */
  async function publishOnce(run: Run): Promise<Omit<PublishReport, 'durationMs'> | null> {
    const read = await readBucketManifest(place, files)
    const isOurs = read?.manifest.warehouse === warehouse
    const before = isOurs && run.isAnew !== true ? read.manifest : null
    const version = (read?.manifest.version ?? 0) + 1
    const listed = await versionObjects(files)
    const prefix = newVersionPrefix(version)
    const written: string[] = []
    const store = await storeReader(connection)
    const refreshed = await refreshFiles(store, before, {
      tables,
      version: parquetVersion,
      isThere: async ({ path, size_bytes: sizeBytes }) => listed.get(path) === sizeBytes,
      localCopy,
      async write(partition, definition) {
        const facts = { dir: scratchDir, version: parquetVersion, schemaVersion: SCHEMA_VERSION }
        const file = await writePartition(store, partition, { ...facts, definition, ...run })
        if (file === null) return null
        const uploaded = await moveIntoBucket(file, prefix)
        written.push(uploaded.path)
        return uploaded
      },
    })
    const report = reportOf(place, refreshed)
    if (!refreshed.isChanged && before !== null) {
      const warnings = await sweep(listed.keys(), before)
      return { ...report, changed: false, ...warnings }
    }
    const viewsPath = `${prefix}/${VIEWS_SQL}`
    await files.write(viewsPath, viewsOf(refreshed.files))
    const named = new Set(refreshed.files.map(({ path }) => path))
    const manifest: BucketManifest = {
      ...newManifest({
        run_id: run.runId,
        published_at: new Date(run.publishedAtMs).toISOString(),
        coinlake_version: run.coinlakeVersion,
        schema_version: SCHEMA_VERSION,
        files: refreshed.files,
        vanished: refreshed.vanished,
      }),
      version,
      warehouse,
      views_sql: viewsPath,
      // Whoever reads what another warehouse has published there keeps it for a while, too.
      retired: retiredAfter(read?.manifest ?? null, version, named),
    }
    crashPoint('publish.manifest.before')
    const text = `${JSON.stringify(manifest, null, 1)}\n`
    if (!(await files.replace(MANIFEST, text, read?.mark ?? null))) {
      await files.remove([...written, viewsPath])
      return null
    }
    crashPoint('publish.manifest.after')
    const warnings = await sweep(listed.keys(), manifest)
    const others = read !== null && !isOurs ? [foreignNote(place, read.manifest.warehouse)] : []
    const all = [...others, ...(warnings.warnings ?? [])]
    return { ...report, changed: true, ...(all.length > 0 && { warnings: all }) }
  }

  /** Small files only: it goes through memory. */
  async function localCopy({ path, table, sha256 }: ManifestFile): Promise<string | null> {
    const content = await files.read(path)
    if (content === null) return null
    const local = join(scratchDir, `${table}.before.parquet`)
    await mkdir(scratchDir, { recursive: true })
    await writeFile(local, content)
    return (await fileSha256(local)) === sha256 ? local : null
  }

  /** Moves a file to the objects of a version. */
  async function moveIntoBucket(file: ManifestFile, prefix: string): Promise<ManifestFile> {
    const local = join(scratchDir, file.path)
    const path = `${prefix}/${file.path}`
    const { size_bytes: sizeBytes, sha256 } = file
    crashPoint('publish.rename.before')
    await files.upload(path, { path: local, sizeBytes, sha256 })
    crashPoint('publish.rename.after')
    await rm(local)
    return { ...file, path }
  }

  /** What cannot be removed costs room and no publication: some keys may only write. */
  async function sweep(
    listed: Iterable<string>,
    manifest: BucketManifest,
  ): Promise<Pick<PublishReport, 'warnings'>> {
    try {
      await sweepVersions(files, listed, manifest)
      return {}
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { warnings: [`objects of old versions in ${place} could not be removed: ${reason}`] }
    }
  }

  function viewsOf(named: readonly ManifestFile[]): string {
    const filesOf = Map.groupBy(named, ({ table }) => table)
    return viewsSql(VIEWS_HEAD, tables, ({ name }) => {
      const own = filesOf.get(name)
      return own === undefined ? null : readFilesSql(place, own)
    })
  }

  return publishInTurn('parquet', connection, place, publish)
}

function reportOf(place: string, { files, rows }: Pick<RefreshedFiles, 'files' | 'rows'>) {
  return {
    publication: 'parquet',
    path: place,
    files: files.length,
    rows,
    sizeBytes: files.reduce((sum, file) => sum + file.size_bytes, 0),
  }
}

function foreignNote(place: string, warehouse: string): string {
  return `${place} was published by another warehouse (${warehouse}) before: all was written anew. Each needs a prefix of its own.`
}
