import type { DuckDBConnection } from '@duckdb/node-api'
import { rowsOf } from '../rows-of.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { commentSql, createTableSql, quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { SCHEMA_VERSION, schemaVersionsTable } from '../ledger/row-tables.ts'
import { NEWEST_SCHEMA, type NewestTable, newestTablesOf } from '../newest/newest-tables.ts'
import type { PublishRun } from '../publication.ts'
import { definitionHash } from '../publish/definition-hash.ts'
import { analystMacros, analystStatements, analystViews } from '../views/analyst-views.ts'
import { publishedTable } from './published-table.ts'
import { followsTable } from './refresh-newest.ts'
import { sortNotesTable } from './sort-tail.ts'

/** A layout's name in `_schema_versions` is this prefix and its fingerprint. */
const CHANGE = 'readers '

/** Notes of the publication: the last load in the newest rows, and the last load with sorted rows. */
const OWN_TABLES: readonly TableSpec[] = [followsTable, sortNotesTable]

/** The views and newest rows that a publication adds to a store. */
export interface ReadersLayout {
  /** Tables of datasets that the store has. */
  existingTables: readonly TableSpec[]
  newest: readonly NewestTable[]
  /** Fingerprint of the layout. A new one makes the layout again. */
  definition: string
  /** The statements that make the layout and replace an older one. */
  statements: readonly string[]
}

/** The layout for a store: newest rows, `_published`, and the views and macros whose tables are there. */
export async function readersLayout(
  connection: DuckDBConnection,
  specs: readonly TableSpec[],
): Promise<ReadersLayout> {
  const ofStore = `WHERE database_name = current_database() AND schema_name = 'main' AND NOT internal`
  const rows = await rowsOf(
    connection,
    `SELECT table_name AS name FROM duckdb_tables() ${ofStore}
     UNION ALL SELECT view_name FROM duckdb_views() ${ofStore}`,
  )
  const names = new Set(rows.map((row) => String(row['name'])))
  const tables = specs.filter(({ name }) => names.has(name))
  const newest = newestTablesOf(tables)
  const newestTables = newest.map(({ source, table }) => ({ ...table, name: source.name }))
  const schema = quoteName(NEWEST_SCHEMA)
  const statements = [
    ...analystViews.toReversed().map(({ name }) => `DROP VIEW IF EXISTS ${quoteName(name)}`),
    ...analystMacros.map(({ name }) => `DROP MACRO TABLE IF EXISTS ${quoteName(name)}`),
    `DROP SCHEMA IF EXISTS ${schema} CASCADE`,
    `CREATE SCHEMA ${schema}`,
    ...[...OWN_TABLES, ...newestTables].flatMap((table) => {
      const options = { qualifier: `${schema}.`, lineage: !OWN_TABLES.includes(table) }
      return [createTableSql(table, options), ...commentSql(table, options)]
    }),
    createTableSql(publishedTable, { lineage: false }),
    ...commentSql(publishedTable, { lineage: false }),
    ...analystStatements(names),
  ]
  return { existingTables: tables, newest, definition: definitionHash(statements), statements }
}

/** Makes the layout, unless it stands and `isAnew` is false. Runs in a transaction of the caller. */
export async function layOut(
  connection: DuckDBConnection,
  { definition, statements }: ReadersLayout,
  { coinlakeVersion, isAnew = false }: PublishRun,
): Promise<void> {
  if (!isAnew && (await isLaidOut(connection, definition))) return
  const made = [
    ...statements,
    `INSERT INTO ${schemaVersionsTable.name} BY NAME SELECT ${SCHEMA_VERSION} AS version, now() AS changed_at,
       ${quoteText(CHANGE + definition)} AS change, ${quoteText(coinlakeVersion)} AS coinlake_version`,
  ]
  await connection.run(made.join(';\n'))
}

/** Whether this layout stands in the store. A store made again from kept answers has none. */
export async function isLaidOut(
  connection: DuckDBConnection,
  definition: string,
): Promise<boolean> {
  const [last] = await rowsOf(
    connection,
    `SELECT change FROM ${schemaVersionsTable.name}
     WHERE starts_with(change, ${quoteText(CHANGE)}) ORDER BY rowid DESC LIMIT 1`,
  )
  return last?.['change'] === CHANGE + definition
}
