import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { SCHEMA_VERSION } from '../ledger/schema-versions.ts'
import { newestTablesOf } from '../newest/newest-tables.ts'
import type { Publication, PublishReport } from '../publication.ts'
import { fileSha256 } from '../publish/durable-files.ts'
import { publishInTurn } from '../publish/publish-in-turn.ts'
import { storeReader } from '../publish/store-reader.ts'
import { MANIFEST, newManifest, readManifest, writeManifest } from './manifest.ts'
import { refreshFiles } from './refresh-files.ts'
import { sweepTree } from './sweep-tree.ts'
import { makeSnapshot } from './tree-snapshots.ts'
import { writeViewsSql } from './views-sql.ts'
import { type ParquetVersion, writePartition } from './write-partition.ts'

export interface ParquetPublicationOptions {
  /** A connection of the store's own instance; `_partitions` must exist in the store. */
  connection: DuckDBConnection
  tables: readonly TableSpec[]
  /** Root of the tree, absolute. */
  dir: string
  version: ParquetVersion
}

/**
 * The Parquet tree: one fixed file per table and month, and only months that a load changed are
 * written again. The manifest comes last; a publisher killed before it is repaired by the next. Files are
 * replaced one after the other, so readers of several take the snapshot beside them, which is one moment.
 */
export function createParquetPublication(options: ParquetPublicationOptions): Publication {
  const { connection, tables, dir, version } = options
  const manifestPath = join(dir, MANIFEST)
  const newest = newestTablesOf(tables).map(({ table }) => table)
  async function publish(run: Parameters<Publication['publish']>[0]): Promise<PublishReport> {
    const startedMs = performance.now()
    await mkdir(dir, { recursive: true })
    const store = await storeReader(connection)
    const before = await readManifest(manifestPath)
    const { files, vanished, isChanged, rows } = await refreshFiles(store, before, {
      tables,
      version,
      isThere: async (file) => (await sizeOf(join(dir, file.path))) === file.size_bytes,
      localCopy: async (file) => {
        const path = join(dir, file.path)
        return (await fileSha256(path)) === file.sha256 ? path : null
      },
      write: (partition, definition) =>
        writePartition(store, partition, {
          dir,
          version,
          schemaVersion: SCHEMA_VERSION,
          definition,
          ...run,
        }),
    })
    let changed = isChanged

    const named = new Set(files.map((file) => file.path))
    if (changed) {
      const manifest = newManifest({
        run_id: run.runId,
        published_at: new Date(run.publishedAtMs).toISOString(),
        coinlake_version: run.coinlakeVersion,
        schema_version: SCHEMA_VERSION,
        files,
        vanished,
      })
      crashPoint('publish.manifest.before')
      await writeManifest(manifestPath, manifest)
      crashPoint('publish.manifest.after')
    }
    if (await writeViewsSql(dir, tables, files)) changed = true
    if (await makeSnapshot(dir, [...named])) changed = true
    // After the manifest: no reader that follows it is sent to a file that is gone.
    const folders = new Set([
      ...[...tables, ...newest].map((t) => t.name),
      ...(before?.files ?? []).map((f) => f.table),
    ])
    await sweepTree(dir, [...folders], (path) => named.has(path))
    return {
      publication: 'parquet',
      path: dir,
      changed,
      files: files.length,
      rows,
      sizeBytes: files.reduce((sum, file) => sum + file.size_bytes, 0),
      durationMs: Math.round(performance.now() - startedMs),
    }
  }

  return publishInTurn('parquet', connection, dir, publish)
}

async function sizeOf(path: string): Promise<number | null> {
  return (await stat(path).catch(() => null))?.size ?? null
}
