import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { storedColumns } from '../../datasets/ddl.ts'
import { SCHEMA_VERSION } from '../ledger/schema-versions.ts'
import type { Publication, PublishReport } from '../publication.ts'
import { definitionHash } from '../publish/definition-hash.ts'
import { publishInTurn } from '../publish/publish-in-turn.ts'
import { storeReader } from '../publish/store-reader.ts'
import {
  MANIFEST,
  type Manifest,
  type ManifestFile,
  newManifest,
  readManifest,
  writeManifest,
} from './manifest.ts'
import { type Partition, partitionPath, readPartitions } from './partitions.ts'
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
  const definitions = new Map(
    tables.map((table) => [
      table.name,
      definitionHash({ ...table, columns: storedColumns(table) }, version, SCHEMA_VERSION),
    ]),
  )
  const definitionOf = (table: string): string => definitions.get(table) ?? ''

  async function publish(run: Parameters<Publication['publish']>[0]): Promise<PublishReport> {
    const startedMs = performance.now()
    await mkdir(dir, { recursive: true })
    const store = await storeReader(connection)
    const before = await readManifest(manifestPath)
    const known = new Map(before?.files.map((file) => [file.path, file]))
    const emptied = new Map(
      before?.vanished.map((one) => [partitionPath(one.table, one.month), one.load_id]),
    )
    const files: ManifestFile[] = []
    const vanished: Manifest['vanished'] = []
    let changed = before === null

    await store.snapshot(async () => {
      for (const partition of await readPartitions(store, tables)) {
        const { table, month, loadId } = partition
        const path = partitionPath(table.name, month)
        const kept = known.get(path)
        if (kept !== undefined && (await isCurrent(kept, partition))) {
          files.push(kept)
        } else if (emptied.get(path) === loadId) {
          vanished.push({ table: table.name, month, load_id: loadId })
        } else {
          changed = true
          const definition = definitionOf(table.name)
          const tree = { dir, version, schemaVersion: SCHEMA_VERSION, definition, ...run }
          const written = await writePartition(store, partition, tree)
          if (written === null) vanished.push({ table: table.name, month, load_id: loadId })
          else files.push(written)
        }
      }
    })

    const named = new Set(files.map((file) => file.path))
    const gone = [...known.keys()].filter((path) => !named.has(path))
    if (changed || gone.length > 0) {
      changed = true
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
    const folders = new Set([...definitions.keys(), ...(before?.files ?? []).map((f) => f.table)])
    await sweepTree(dir, [...folders], (path) => named.has(path))
    return {
      publication: 'parquet',
      path: dir,
      changed,
      files: files.length,
      rows: files.reduce((sum, file) => sum + file.rows, 0),
      sizeBytes: files.reduce((sum, file) => sum + file.size_bytes, 0),
      durationMs: Math.round(performance.now() - startedMs),
    }
  }

  /** Same rows, same form, and still there in full. */
  async function isCurrent(file: ManifestFile, { table, loadId }: Partition): Promise<boolean> {
    if (file.load_id !== loadId || file.definition !== definitionOf(table.name)) return false
    const found = await stat(join(dir, file.path)).catch(() => null)
    return found?.size === file.size_bytes
  }

  return publishInTurn('parquet', connection, dir, publish)
}
