import { DuckDBInstance } from '@duckdb/node-api'
import type { LakeConfig } from '../../config/lake.ts'
import { quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { readingOptions } from '../../service/warehouse/lock-to-reading.ts'
import { asSinkError } from '../../sinks/duckdb-store/as-sink-error.ts'
import { openSession, type Session } from '../../sinks/duckdb-store/session.ts'
import { attachLake, LAKE, METADATA_DATABASE } from '../../sinks/duckdb-store/lake/attach-lake.ts'

export interface LakeTable {
  /** A relation: `read_parquet(...)` and the like, with all columns of the table. */
  sql: string
  files: readonly string[]
  /** Columns of the table. A lake of an older coinlake lacks newer ones. */
  columns: ReadonlySet<string>
}

const NO_LAKE_PATTERN = /does not exist|no such (?:file|table)|unable to open database file/i

/** DuckLake's files know a column by its number, so that its name may change. */
interface LakeColumn {
  table: string
  id: number
  name: string
  type: string
}

interface DataFile {
  table: string
  path: string
  deletes: string | null
}

/**
 * The files of the tables of a lake, all of one snapshot, by table. The extensions of catalogs open files
 * that DuckDB would refuse (`sqlite_scan('/any/file')`). So this instance is closed before any SQL of users runs.
 *
 * @returns null when there is no lake yet
 * @throws SinkError STORE_CATALOG_UNREACHABLE, STORE_EXTENSION, ...
 */
export async function lakeTables(lake: LakeConfig): Promise<Map<string, LakeTable> | null> {
  // Persistent secrets stay allowed, because the extension for PostgreSQL fails where it cannot look for them.
  const { temp_directory } = readingOptions()
  const instance = await DuckDBInstance.create(':memory:', { temp_directory })
  const connection = await instance.connect()
  try {
    await attachLake(connection, lake, 'read')
    // One transaction is one snapshot.
    await connection.run('BEGIN TRANSACTION')
    const session = openSession(connection, lake.catalog)
    const columns = await columnsOf(session)
    const files = await filesOf(session, [...columns.keys()])
    return new Map([...columns].map(([name, own]) => [name, lakeTable(own, files.get(name) ?? [])]))
  } catch (error) {
    const fault = asSinkError(error, 'read', lake.catalog)
    if (fault.code === 'STORE_FAILED' && NO_LAKE_PATTERN.test(fault.message)) return null
    throw fault
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function columnsOf({ rows }: Session): Promise<Map<string, LakeColumn[]>> {
  const columns = await rows<LakeColumn>(
    `SELECT t.table_name AS "table", c.column_id AS id, c.column_name AS name, d.data_type AS type
     FROM ${METADATA_DATABASE}.ducklake_table t JOIN ${METADATA_DATABASE}.ducklake_column c USING (table_id)
     JOIN duckdb_columns() d ON d.database_name = '${LAKE}' AND d.table_name = t.table_name
       AND d.column_name = c.column_name
     WHERE t.end_snapshot IS NULL AND c.end_snapshot IS NULL AND c.parent_column IS NULL
     ORDER BY t.table_name, c.column_order`,
  )
  return Map.groupBy(columns, ({ table }) => table)
}

async function filesOf(
  { rows }: Session,
  tables: readonly string[],
): Promise<Map<string, DataFile[]>> {
  if (tables.length === 0) return new Map()
  const lists = tables.map(
    (name) =>
      `SELECT ${quoteText(name)} AS "table", data_file AS path, delete_file AS deletes FROM ducklake_list_files('${LAKE}', ${quoteText(name)})`,
  )
  return Map.groupBy(await rows<DataFile>(lists.join(' UNION ALL ')), ({ table }) => table)
}

function lakeTable(columns: readonly LakeColumn[], files: readonly DataFile[]): LakeTable {
  const whole = files.filter(({ deletes }) => deletes === null)
  const partly = files.filter(({ deletes }) => deletes !== null)
  const deletes = partly.flatMap((file) => file.deletes ?? [])
  const names = columns.map(({ name }) => quoteName(name)).join(', ')
  const parts: string[] = []
  if (whole.length > 0) parts.push(`SELECT ${names} FROM ${readSql(columns, whole)}`)
  if (partly.length > 0) {
    parts.push(
      `SELECT ${names} FROM ${readSql(columns, partly, ', filename = true, file_row_number = true')} AS kept
       ANTI JOIN read_parquet(${listSql(deletes)}) AS gone
       ON gone.file_path = kept.filename AND gone.pos = kept.file_row_number`,
    )
  }
  const nulls = columns.map(({ name, type }) => `NULL::${type} AS ${quoteName(name)}`)
  const sql =
    parts.length === 0 ? `SELECT ${nulls.join(', ')} WHERE false` : parts.join(' UNION ALL ')
  return {
    sql: `(${sql})`,
    files: [...files.map(({ path }) => path), ...deletes],
    columns: new Set(columns.map(({ name }) => name)),
  }
}

/** Reads columns by their number. As in DuckLake, a file older than a column gives NULL for it. */
function readSql(
  columns: readonly LakeColumn[],
  files: readonly DataFile[],
  more: string = '',
): string {
  const schema = columns.map(
    ({ id, name, type }) =>
      `${id}: {name: ${quoteText(name)}, type: ${quoteText(type)}, default_value: NULL}`,
  )
  const paths = listSql(files.map(({ path }) => path))
  return `read_parquet(${paths}, schema = MAP {${schema.join(', ')}}${more})`
}

function listSql(texts: readonly string[]): string {
  return `[${texts.map(quoteText).join(', ')}]`
}
