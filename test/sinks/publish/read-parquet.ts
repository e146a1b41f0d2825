import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import type { AsyncBuffer } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { storedColumns } from '../../../datasets/table/ddl.ts'
import { exactText } from './sample-store.ts'

const MS_PER_DAY = 86_400_000

/** Rows of a published table by a reader that shares no code with DuckDB: file by file, in file order. */
export async function readParquetTable(tree: string, table: TableSpec): Promise<string[]> {
  const rows: string[] = []
  for (const name of filesIn(join(tree, table.name))) {
    rows.push(
      ...(await parquetRows(await asyncBufferFromFile(join(tree, table.name, name)), table)),
    )
  }
  return rows
}

/** Rows of one Parquet file of a table, in storeRows' form. */
export async function parquetRows(file: AsyncBuffer, table: TableSpec): Promise<string[]> {
  const metadata = await parquetMetadataAsync(file)
  const objects = await parquetReadObjects({
    file,
    metadata,
    compressors,
    parsers: {
      timestampFromMicroseconds: (us: bigint) => us,
      dateFromDays: (days: number) => new Date(days * MS_PER_DAY).toISOString().slice(0, 10),
    },
  })
  return objects.map((row) =>
    JSON.stringify(storedColumns(table).map((column) => exactText(row[column.name]))),
  )
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.parquet'))
      .sort()
  } catch {
    return []
  }
}
