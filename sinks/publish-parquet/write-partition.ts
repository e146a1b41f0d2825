import type { DuckDBConnection } from '@duckdb/node-api'
import { rowsOf } from '../rows-of.ts'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crashPoint } from '../../config/crash-point.ts'
import type { Column, TableSpec } from '../../datasets/dataset.ts'
import { duckdbType, quoteName, quoteText, storedColumns } from '../../datasets/table/ddl.ts'
import { SCHEMA_VERSION } from '../ledger/row-tables.ts'
import { fileSha256, syncFile } from '../publish/durable-files.ts'
import type { ManifestFile } from './manifest.ts'
import { type Partition, partitionFilter, partitionPath } from './partitions.ts'

/** `v2` is smaller and faster. `v1` is for readers without BYTE_STREAM_SPLIT (Spark before 4). */
export type ParquetVersion = 'v2' | 'v1'

export interface PartitionPlace {
  dir: string
  version: ParquetVersion
  coinlakeVersion: string
  definition: string
}

/** Writes the file of one partition into a folder without readers. @returns its manifest entry; null: no rows */
export async function writePartition(
  connection: DuckDBConnection,
  partition: Partition,
  tree: PartitionPlace,
): Promise<ManifestFile | null> {
  const { table, month, loadId } = partition
  const path = partitionPath(table.name, month)
  const file = join(tree.dir, path)
  const source = `${partition.relation ?? quoteName(table.name)} WHERE ${partitionFilter(partition)}`
  const bounds = await sortBounds(connection, table, source)
  if (bounds.rows === 0) return null

  await mkdir(dirname(file), { recursive: true })
  const columns = storedColumns(table).map((column) => quoteName(column.name))
  crashPoint('publish.build.before')
  await connection.run(
    `COPY (SELECT ${columns.join(', ')} FROM ${source} ORDER BY ${table.sort.map(quoteName).join(', ')})
     TO ${quoteText(file)} (FORMAT parquet, COMPRESSION zstd,
       PARQUET_VERSION ${tree.version.toUpperCase()}, USE_TMP_FILE false,
       KV_METADATA ${keyValueMetadata(partition, tree)})`,
  )
  crashPoint('publish.build.after')
  await syncFile(file)
  return {
    path,
    table: table.name,
    month,
    size_bytes: (await stat(file)).size,
    sha256: await fileSha256(file),
    load_id: loadId,
    definition: tree.definition,
    ...bounds,
  }
}

function keyValueMetadata({ table, month, loadId }: Partition, tree: PartitionPlace): string {
  const columns = storedColumns(table).map((column) => ({
    name: column.name,
    type: duckdbType(column.type),
    unit: column.unit,
    description: column.description,
  }))
  const entries = {
    generator: 'coinlake',
    coinlake_version: tree.coinlakeVersion,
    schema_version: String(SCHEMA_VERSION),
    table: table.name,
    description: table.description,
    month,
    load_id: String(loadId),
    key: JSON.stringify(table.key),
    sort: JSON.stringify(table.sort),
    columns: JSON.stringify(columns),
  }
  const pairs = Object.entries(entries).map(
    ([key, value]) => `${quoteName(key)}: ${quoteText(value)}`,
  )
  return `{${pairs.join(', ')}}`
}

async function sortBounds(connection: DuckDBConnection, table: TableSpec, source: string) {
  const columns = table.sort.map((name) => storedColumns(table).find((c) => c.name === name))
  const sortColumns = columns.filter((column) => column !== undefined)
  const bounds = sortColumns.flatMap((column) => [
    `${asText('min', column)} AS ${quoteName(`min ${column.name}`)}`,
    `${asText('max', column)} AS ${quoteName(`max ${column.name}`)}`,
  ])
  const [row] = await rowsOf(
    connection,
    `SELECT ${['count(*) AS rows', ...bounds].join(', ')} FROM ${source}`,
  )
  const side = (bound: 'min' | 'max') =>
    Object.fromEntries(
      sortColumns.map(({ name }) => {
        const value = row?.[`${bound} ${name}`]
        return [name, typeof value === 'string' ? value : null]
      }),
    )
  return { rows: Number(row?.['rows']), min: side('min'), max: side('max') }
}

function asText(aggregate: 'min' | 'max', column: Column): string {
  const value = `${aggregate}(${quoteName(column.name)})`
  // A cast would use the time zone of the session.
  return column.type === 'timestamp'
    ? `strftime(${value} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')`
    : `${value}::VARCHAR`
}
