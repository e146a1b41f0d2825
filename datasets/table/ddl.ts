import type { Column, ColumnType, TableSpec } from '../dataset.ts'
import { lineageColumns } from './lineage.ts'

const DUCKDB_TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'VARCHAR',
  double: 'DOUBLE',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
  timestamp: 'TIMESTAMPTZ',
  date: 'DATE',
  // Text: DuckDB's JSON type needs an extension that a reader may not have.
  json: 'VARCHAR',
}

export function duckdbType(type: ColumnType): string {
  return DUCKDB_TYPES[type]
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The COMMENT of a column, in DuckDB and in Parquet. */
export function columnComment(column: Column): string {
  return column.unit === null ? column.description : `${column.description} Unit: ${column.unit}.`
}

/** A table's columns in the store: its own, then those of lineage. */
export function storedColumns(table: TableSpec, lineage = true): readonly Column[] {
  return lineage ? [...table.columns, ...lineageColumns(table)] : table.columns
}

export interface DdlOptions {
  /** Text before the table name, quoted where needed: `pub.` or `"my db".main.`. */
  qualifier?: string
  name?: string
  /** Whether the table has the store's lineage columns. Default true. */
  lineage?: boolean
}

/** `CREATE TABLE IF NOT EXISTS` for a spec, without a primary key: the load keeps keys unique. */
export function createTableSql(table: TableSpec, options: DdlOptions = {}): string {
  const columns = storedColumns(table, options.lineage).map(
    (column) =>
      `  ${quoteName(column.name)} ${duckdbType(column.type)}${defaultSql(column)}${column.nullable === false ? ' NOT NULL' : ''}`,
  )
  return `CREATE TABLE IF NOT EXISTS ${target(table, options)} (\n${columns.join(',\n')}\n)`
}

/** ` DEFAULT ...` of a column that has one, else ''. */
export function defaultSql({ defaultsTo }: Column): string {
  // Quoted: an added column needs a literal, and DuckLake takes a bare `false` for an expression.
  return defaultsTo === undefined ? '' : ` DEFAULT '${defaultsTo}'`
}

export function commentSql(table: TableSpec, options: DdlOptions = {}): string[] {
  const name = target(table, options)
  return [
    `COMMENT ON TABLE ${name} IS ${quoteText(table.description)}`,
    ...storedColumns(table, options.lineage).map(
      (column) =>
        `COMMENT ON COLUMN ${name}.${quoteName(column.name)} IS ${quoteText(columnComment(column))}`,
    ),
  ]
}

function target(table: TableSpec, options: DdlOptions): string {
  return `${options.qualifier ?? ''}${quoteName(options.name ?? table.name)}`
}
