import type { DuckDBConnection } from '@duckdb/node-api'
import { inTransaction } from '../in-transaction.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteText, storedColumns } from '../../datasets/table/ddl.ts'
import { SCHEMA_VERSION, WHOLE_TABLE } from '../ledger/row-tables.ts'
import { type NewestBefore, newestRows } from '../newest/newest-rows.ts'
import { type NewestTable, newestTablesOf } from '../newest/newest-tables.ts'
import { loadsFingerprint } from '../newest/loads-fingerprint.ts'
import { definitionHash } from '../publish/definition-hash.ts'
import type { Manifest, ManifestFile } from './manifest.ts'
import { type Partition, partitionPath, readPartitions } from './partitions.ts'
import type { ParquetVersion } from './write-partition.ts'

export interface RefreshedFiles extends Pick<Manifest, 'files' | 'vanished'> {
  /** Whether any month has changed, even one without a file. */
  isChanged: boolean
  /** Rows of the tables without the newest tables, which repeat some. */
  rows: number
}

/** The present files of a Parquet publication, and how to write new ones. */
export interface FilesToRefresh {
  tables: readonly TableSpec[]
  version: ParquetVersion
  /** Whether a file of the manifest is still there in full. */
  isThere: (file: ManifestFile) => Promise<boolean>
  /** Absolute path of a local copy of a file; null: its content has changed. */
  localCopy: (file: ManifestFile) => Promise<string | null>
  /** Writes a file. @returns its manifest entry; null: the partition has no rows */
  write: (partition: Partition, definition: string) => Promise<ManifestFile | null>
}

/**
 * Keeps the published files of unchanged months. Writes the changed months, and the newest rows of their tables, all
 * from one moment of the store. Table and month identify a file; each publication chooses its path.
 */
export async function refreshFiles(
  connection: DuckDBConnection,
  before: Pick<Manifest, 'files' | 'vanished'> | null,
  { tables, version, isThere, localCopy, write }: FilesToRefresh,
): Promise<RefreshedFiles> {
  const keyOf = ({ table, month }: { table: string; month: string }): string =>
    partitionPath(table, month)
  const formerFiles = new Map(before?.files.map((file) => [keyOf(file), file]))
  const vanishedLoadIds = new Map(before?.vanished.map((one) => [keyOf(one), one.load_id]))
  const refreshed: RefreshedFiles = { files: [], vanished: [], isChanged: before === null, rows: 0 }

  /** @param rewrite writes the file; `kept`: the present file, if it is complete and has the same definition */
  async function refresh(
    { table, month, loadId }: Partition,
    rewrite: (definition: string, kept: ManifestFile | null) => Promise<ManifestFile | null>,
  ): Promise<void> {
    const definition = definitionOf(table, version)
    const path = partitionPath(table.name, month)
    const found = formerFiles.get(path)
    const isGood = found?.definition === definition && (await isThere(found))
    const kept = found !== undefined && isGood ? found : null
    if (kept?.load_id === loadId) {
      refreshed.files.push(kept)
      return
    }
    const gone = { table: table.name, month, load_id: loadId }
    if (found === undefined && vanishedLoadIds.get(path) === loadId) {
      refreshed.vanished.push(gone)
      return
    }
    refreshed.isChanged = true
    const written = await rewrite(definition, kept)
    if (written === null) refreshed.vanished.push(gone)
    else refreshed.files.push(written)
  }

  /** The published newest table, if its loads have not changed. */
  async function newestBefore(
    { source }: NewestTable,
    kept: ManifestFile | null,
  ): Promise<NewestBefore | null> {
    if (kept?.follows === undefined) return null
    if (kept.follows !== (await loadsFingerprint(connection, source, kept.load_id))) return null
    const path = await localCopy(kept)
    if (path === null) return null
    return { relation: `read_parquet(${quoteText(path)})`, loadId: kept.load_id }
  }

  await inTransaction(connection, async () => {
    const partitions = await readPartitions(connection, tables)
    for (const partition of partitions) {
      await refresh(partition, (definition) => write(partition, definition))
    }
    refreshed.rows = refreshed.files.reduce((sum, { rows }) => sum + rows, 0)
    for (const newest of newestTablesOf(tables)) {
      const own = partitions.filter(({ table }) => table.name === newest.source.name)
      if (own.length === 0) continue
      const loadId = Math.max(...own.map((partition) => partition.loadId))
      const partition = { table: newest.table, month: WHOLE_TABLE, loadId }
      await refresh(partition, async (definition, kept) => {
        const relation = await newestRows(connection, newest, await newestBefore(newest, kept))
        const written = await write({ ...partition, relation }, definition)
        if (written === null) return null
        return { ...written, follows: await loadsFingerprint(connection, newest.source, loadId) }
      })
    }
  })
  const named = new Set(refreshed.files.map(keyOf))
  if ([...formerFiles.keys()].some((key) => !named.has(key))) refreshed.isChanged = true
  return refreshed
}

export function filesReport({ files, rows }: Pick<RefreshedFiles, 'files' | 'rows'>) {
  const sizeBytes = files.reduce((sum, file) => sum + file.size_bytes, 0)
  return { files: files.length, rows, sizeBytes }
}

function definitionOf(table: TableSpec, version: ParquetVersion): string {
  return definitionHash({ ...table, columns: storedColumns(table) }, version, SCHEMA_VERSION)
}
