import type { TableSpec } from '../../datasets/dataset.ts'
import { storedColumns } from '../../datasets/ddl.ts'
import { SCHEMA_VERSION } from '../ledger/schema-versions.ts'
import { definitionHash } from '../publish/definition-hash.ts'
import type { StoreReader } from '../publish/store-reader.ts'
import type { Manifest, ManifestFile } from './manifest.ts'
import { type Partition, partitionPath, readPartitions } from './partitions.ts'
import type { ParquetVersion } from './write-partition.ts'

/** The files of a publication as it will be. */
export interface RefreshedFiles extends Pick<Manifest, 'files' | 'vanished'> {
  /** Whether any month has changed, also where no file came of it. */
  isChanged: boolean
}

/** A Parquet publication as it is and as it is written to. */
export interface FilesToRefresh {
  tables: readonly TableSpec[]
  version: ParquetVersion
  /** Whether a file of the manifest is still there in full. */
  isThere: (file: ManifestFile) => Promise<boolean>
  /** Gives the manifest entry, or null when the partition has no rows. */
  write: (partition: Partition, definition: string) => Promise<ManifestFile | null>
}

/**
 * Keeps what is published already and writes the months that a load has changed since, of one moment
 * of the store. Files are told apart by table and month; where one lies is its publication's choice.
 */
export async function refreshFiles(
  store: StoreReader,
  before: Pick<Manifest, 'files' | 'vanished'> | null,
  { tables, version, isThere, write }: FilesToRefresh,
): Promise<RefreshedFiles> {
  const keyOf = ({ table, month }: { table: string; month: string }): string =>
    partitionPath(table, month)
  const known = new Map(before?.files.map((file) => [keyOf(file), file]))
  const emptied = new Map(before?.vanished.map((one) => [keyOf(one), one.load_id]))
  const refreshed: RefreshedFiles = { files: [], vanished: [], isChanged: before === null }
  await store.snapshot(async () => {
    for (const partition of await readPartitions(store, tables)) {
      const { table, month, loadId } = partition
      const definition = definitionOf(table, version)
      const path = partitionPath(table.name, month)
      const kept = known.get(path)
      const isSame = kept?.load_id === loadId && kept.definition === definition
      if (kept !== undefined && isSame && (await isThere(kept))) {
        refreshed.files.push(kept)
        continue
      }
      const gone = { table: table.name, month, load_id: loadId }
      if (kept === undefined && emptied.get(path) === loadId) {
        refreshed.vanished.push(gone)
        continue
      }
      refreshed.isChanged = true
      const written = await write(partition, definition)
      if (written === null) refreshed.vanished.push(gone)
      else refreshed.files.push(written)
    }
  })
  const named = new Set(refreshed.files.map(keyOf))
  if ([...known.keys()].some((key) => !named.has(key))) refreshed.isChanged = true
  return refreshed
}

function definitionOf(table: TableSpec, version: ParquetVersion): string {
  return definitionHash({ ...table, columns: storedColumns(table) }, version, SCHEMA_VERSION)
}
