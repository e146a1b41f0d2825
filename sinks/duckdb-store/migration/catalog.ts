import type { Session } from '../session.ts'

export interface CatalogColumn {
  /** As DuckDB's DDL writes it. */
  type: string
  comment: string | null
}

export interface CatalogTable {
  comment: string | null
  columns: Map<string, CatalogColumn>
}

export type Catalog = Map<string, CatalogTable>

/** DuckDB's catalog has another name for this type than its DDL. */
const SHORT_TYPES: Readonly<Record<string, string>> = { 'TIMESTAMP WITH TIME ZONE': 'TIMESTAMPTZ' }

export async function readCatalog(session: Session): Promise<Catalog> {
  const rows = await session.rows(
    `SELECT t.table_name, t.comment AS table_comment, c.column_name, c.data_type, c.comment
     FROM duckdb_tables() t JOIN duckdb_columns() c USING (database_name, schema_name, table_name)
     WHERE t.database_name = current_database() AND t.schema_name = 'main' AND NOT t.internal
     ORDER BY t.table_name, c.column_index`,
  )
  const catalog: Catalog = new Map()
  for (const row of rows) {
    const tableName = String(row['table_name'])
    const table = catalog.get(tableName) ?? {
      comment: textOrNull(row['table_comment']),
      columns: new Map<string, CatalogColumn>(),
    }
    catalog.set(tableName, table)
    const type = String(row['data_type'])
    table.columns.set(String(row['column_name']), {
      type: SHORT_TYPES[type] ?? type,
      comment: textOrNull(row['comment']),
    })
  }
  return catalog
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
