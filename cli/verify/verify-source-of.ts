import { quoteName } from '../../datasets/table/ddl.ts'
import { allTables, datasets } from '../../datasets/index.ts'
import { contentsTable } from '../../sinks/ledger/row-tables.ts'
import { newestRelation, newestTablesOf } from '../../sinks/newest/newest-tables.ts'
import { readBlocks } from '../../sinks/verify/read-blocks.ts'
import type { Difference, VerifySource } from '../../sinks/verify/verify-source.ts'
import { verifyTables } from '../../sinks/verify/verify-tables.ts'

/** The tables and the ledger of a store or a published file, for comparison. */
export async function verifySourceOf(
  rows: VerifySource['rows'],
): Promise<VerifySource & { hasContents: boolean }> {
  const present = await presentRelations(rows)
  return {
    rows,
    relation: ({ name }) => present.get(name) ?? null,
    ledger: quoteName,
    hasContents: present.has(contentsTable.name),
  }
}

/** The present tables, as SQL names; those of newest rows have the names of their Parquet files. */
async function presentRelations(rows: VerifySource['rows']): Promise<Map<string, string>> {
  const found = await rows(
    `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database()`,
  )
  const isThere = new Set(
    found.map((row) => `${row['schema_name']}.${quoteName(String(row['table_name']))}`),
  )
  const places = [
    ...[...allTables, contentsTable].map(({ name }) => [name, `main.${quoteName(name)}`] as const),
    ...newestTablesOf(allTables).map(
      ({ source, table }) => [table.name, newestRelation(source)] as const,
    ),
  ]
  return new Map(places.filter(([, place]) => isThere.has(place)))
}

/** Compares a copy of a store with its own ledger, and reads all of its blocks. @throws SinkError for a damaged block */
export async function verifyCopyOfStore(rows: VerifySource['rows']): Promise<Difference[]> {
  const source = await verifySourceOf(rows)
  const differences = await verifyTables({ place: 'duckdb', datasets, source }, allTables)
  await readBlocks(source)
  return differences
}
