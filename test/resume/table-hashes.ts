import { DuckDBInstance } from '@duckdb/node-api'
import { datasets } from '../../datasets/index.ts'
import { quoteName } from '../../datasets/ddl.ts'

/**
 * Rows and a hash of every dataset table in a DuckDB file, whatever the order of the rows. Lineage
 * (which load, which run) is left out: it may differ between two runs that brought the same data.
 */
export async function tableHashes(file: string): Promise<Record<string, string>> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    const hashes: Record<string, string> = {}
    for (const table of datasets.flatMap((dataset) => dataset.tables)) {
      const columns = table.columns.map((column) => quoteName(column.name)).join(', ')
      const reader = await connection.runAndReadAll(
        `SELECT count(*) || ' rows, ' || coalesce(sum(hash(${columns})::HUGEINT), 0) || ' '
           || coalesce(bit_xor(hash(${columns})), 0) FROM ${quoteName(table.name)}`,
      )
      hashes[table.name] = String(reader.getRows()[0]?.[0])
    }
    return hashes
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
