import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { TableSpec } from '../../../datasets/dataset.ts'
import { storedColumns } from '../../../datasets/ddl.ts'
import { exactText } from './sample-store.ts'

const MS_PER_DAY = 86_400_000

/** Rows of a published table by a reader that shares no code with DuckDB: file by file, in file order. */
export async function readParquetTable(tree: string, table: TableSpec): Promise<string[]> {
  const rows: string[] = []
  for (const name of filesIn(join(tree, table.name))) {
    const file = await asyncBufferFromFile(join(tree, table.name, name))
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
    for (const row of objects) {
      const values = storedColumns(table).map((column) => exactText(row[column.name]))
      rows.push(JSON.stringify(values))
    }
  }
  return rows
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
