import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { LakeConfig } from '../../config/lake.ts'
import { datasets } from '../../datasets/index.ts'
import { quoteName } from '../../datasets/ddl.ts'
import { asSinkError } from '../../sinks/duckdb-store/as-sink-error.ts'
import { attachLake, LAKE } from '../../sinks/duckdb-store/attach-lake.ts'
import { coverageView } from '../../sinks/ledger/coverage-view.ts'
import { ledgerTables } from '../../sinks/ledger/ledger-tables.ts'
import { treeViewStatements, viewStatements } from '../../sinks/publish-parquet/tree-views.ts'

/** DuckLake's words for a catalog that holds none. */
const NO_LAKE = /does not exist|no such (?:file|table)|unable to open database file/i

/**
 * A lake to read, as the published file shows a store: a view for each table, the ledger and the
 * analyst views. Its readers hold nobody up and see whole loads only, so there is nothing to publish.
 *
 * @returns null when there is no lake yet
 * @throws SinkError STORE_CATALOG_UNREACHABLE, STORE_EXTENSION, ...
 */
export async function openLake(lake: LakeConfig): Promise<DuckDBInstance | null> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await attachLake(connection, lake, 'read')
    for (const statement of await statementsFor(connection)) await connection.run(statement)
    connection.closeSync()
    return instance
  } catch (error) {
    connection.closeSync()
    instance.closeSync()
    const fault = asSinkError(error, 'read', lake.catalog)
    if (fault.code === 'STORE_FAILED' && NO_LAKE.test(fault.message)) return null
    throw fault
  }
}

/** Names of a query mean these views, so a table that a newer coinlake brings is empty and not unknown. */
async function statementsFor(connection: DuckDBConnection): Promise<string[]> {
  const found = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = '${LAKE}'`,
  )
  const present = new Set(found.getRows().map(([name]) => String(name)))
  const inLake = (name: string): string => `${LAKE}.main.${quoteName(name)}`
  const ledger = ledgerTables.filter(({ name }) => present.has(name))
  const tables = datasets.flatMap((dataset) => dataset.tables)
  const names = [...ledger, coverageView].map(({ name }) => name)
  return [
    ...ledger.flatMap((table) => {
      const columns = table.columns.map(({ name }) => quoteName(name))
      const sql = `SELECT ${columns.join(', ')} FROM ${inLake(table.name)}`
      return viewStatements(table.name, sql, table)
    }),
    ...viewStatements(coverageView.name, coverageView.sql, coverageView),
    ...treeViewStatements(tables, ({ name }) => (present.has(name) ? inLake(name) : null), names),
  ]
}
