import type { Session } from '../session.ts'

/** A column of a table, and the comment of its table. */
export interface CatalogColumn {
  tableName: string
  tableComment: string | null
  name: string
  /** As DuckDB's DDL writes it. */
  type: string
  comment: string | null
}

/** The columns of each table. */
export type Catalog = Map<string, CatalogColumn[]>

export async function readCatalog(session: Session): Promise<Catalog> {
  const columns = await session.rows<CatalogColumn>(
    `SELECT t.table_name AS tableName, t.comment AS tableComment, c.column_name AS name, c.comment,
       CASE c.data_type WHEN 'TIMESTAMP WITH TIME ZONE' THEN 'TIMESTAMPTZ' ELSE c.data_type END AS type
     FROM duckdb_tables() t JOIN duckdb_columns() c USING (database_name, schema_name, table_name)
     WHERE t.database_name = current_database() AND t.schema_name = 'main' AND NOT t.internal
     ORDER BY t.table_name, c.column_index`,
  )
  return Map.groupBy(columns, ({ tableName }) => tableName)
}
