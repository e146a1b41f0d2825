import type { Dataset, TableSpec } from '../../../datasets/dataset.ts'
import { commentSql, createTableSql, quoteName, quoteText } from '../../../datasets/table/ddl.ts'
import { SCHEMA_VERSION, schemaVersionsTable } from '../../ledger/row-tables.ts'
import { slicesTable } from '../../ledger/run-tables.ts'
import { appendRecords } from '../ledger/append-records.ts'
import type { Session } from '../session.ts'
import type { StoreContext } from '../store-context.ts'

/** A change to the layout of a store. `_schema_versions` has its name. */
export interface Change {
  name: string
  statements: string[]
}

/** The change that makes a table with its comments. @param lineage whether the table has lineage columns */
export function newTable(table: TableSpec, lineage = true): Change {
  const statements = [createTableSql(table, { lineage }), ...commentSql(table, { lineage })]
  return { name: `table ${table.name}`, statements }
}

/** Makes the tables of datasets that are planned for the first time. Runs in the plan's transaction. */
export async function makeTables(
  { writer, datasets, coinlakeVersion }: StoreContext,
  planned: ReadonlySet<string>,
  nowMs: number,
): Promise<void> {
  const rows = await writer.rows(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = 'main'`,
  )
  const standing = new Set(rows.map((row) => String(row['table_name'])))
  const changes = [...planned]
    .flatMap((name) => datasets.get(name)?.tables ?? [])
    .filter(({ name }) => !standing.has(name))
    .map((table) => newTable(table))
  await applyChanges(writer, changes, { coinlakeVersion, nowMs })
}

/** Makes changes and notes them in `_schema_versions`. Runs in a transaction of the caller. */
export async function applyChanges(
  session: Session,
  changes: readonly Change[],
  { coinlakeVersion, nowMs }: { coinlakeVersion: string; nowMs: number },
): Promise<void> {
  if (changes.length === 0) return
  await session.run(changes.flatMap(({ statements }) => statements).join(';\n'))
  const records = changes.map(({ name }) => ({
    version: SCHEMA_VERSION,
    changed_at: nowMs,
    change: name,
    coinlake_version: coinlakeVersion,
  }))
  await appendRecords(session.connection, schemaVersionsTable, records)
}

/** Names of the tables of all planned datasets. The ledger must exist. */
export async function tablesInUse(
  session: Session,
  datasets: readonly Dataset[],
): Promise<Set<string>> {
  const rows = await session.rows(`SELECT DISTINCT dataset FROM ${slicesTable.name}`)
  const planned = new Set(rows.map((row) => String(row['dataset'])))
  const own = datasets.filter(({ name }) => planned.has(name))
  return new Set(own.flatMap((dataset) => dataset.tables.map(({ name }) => name)))
}

/** Which of the tables have no row. */
export async function emptyTables(
  session: Session,
  tables: readonly TableSpec[],
): Promise<Set<string>> {
  if (tables.length === 0) return new Set()
  const emptyChecks = tables.map(
    ({ name }) => `SELECT ${quoteText(name)} AS name WHERE NOT EXISTS (FROM ${quoteName(name)})`,
  )
  const empty = await session.rows<{ name: string }>(emptyChecks.join(' UNION ALL '))
  return new Set(empty.map(({ name }) => name))
}
