import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { createTableSql, quoteName, quoteText, storedColumns } from '../../datasets/ddl.ts'
import { commentStatements } from '../publish/comment-statements.ts'
import { newestTablesOf } from '../newest/newest-tables.ts'
import type { LedgerRelation } from '../publish/ledger-relation.ts'
import { storeMark } from '../publish/store-mark.ts'
import type { StoreReader } from '../publish/store-reader.ts'
import type { AnalystView } from '../views/analyst-view.ts'
import type { AnalystMacro } from '../views/versions.ts'
import { publishedRowSql } from './published-row.ts'
import { publishedTable } from './published-table.ts'
import { insertSorted } from './sorted-pieces.ts'
import type { VersionContent, WrittenVersion } from './version-content.ts'
import { inVersion, VERSION_QUALIFIER, writeVersion } from './version-writer.ts'
import { writeNewest } from './write-newest.ts'

/**
 * Builds a published file at `path` (which must not exist): all of one moment of the store, sorted,
 * with comments, checkpointed and closed.
 */
export async function buildVersion(
  store: StoreReader,
  path: string,
  content: VersionContent,
): Promise<WrittenVersion> {
  return await writeVersion(store, path, async () => {
    const mark = await storeMark(store)
    const newest = newestTablesOf(content.tables)
    const all = [...content.tables, ...newest.map(({ table }) => table)]
    await store.script(all.flatMap(tableStatements))
    const filled = await tablesWithRows(store, content.tables)
    let rows = 0
    for (const table of content.tables) {
      crashPoint('publish.build.before')
      if (filled.has(table.name)) rows += await insertSorted(store, table, inVersion(table.name))
      crashPoint('publish.build.after')
    }
    for (const one of newest) {
      if (filled.has(one.source.name)) await writeNewest(store, one, null)
    }
    await store.script([
      ...content.ledgerTables.flatMap((table) => ledgerStatements(store, table)),
      `CREATE TABLE ${inVersion(publishedTable.name)} AS ${publishedRowSql(content.published, mark.loadId)}`,
      ...comments('TABLE', publishedTable.name, publishedTable),
      ...content.views.flatMap(viewStatements),
      ...content.macros.flatMap(macroStatements),
    ])
    return { mark, rows, sortedLoadId: mark.loadId, unsortedRows: 0 }
  })
}

function tableStatements(table: TableSpec): string[] {
  return [
    createTableSql(table, { qualifier: VERSION_QUALIFIER }),
    ...comments('TABLE', table.name, { ...table, columns: storedColumns(table) }),
  ]
}

/** Most tables of most warehouses are empty: asked for all at once, and not copied. */
async function tablesWithRows(
  store: StoreReader,
  tables: readonly TableSpec[],
): Promise<Set<string>> {
  if (tables.length === 0) return new Set()
  const looks = tables.map(
    ({ name }) =>
      `SELECT ${quoteText(name)} AS table_name WHERE EXISTS (FROM ${store.table(name)})`,
  )
  const rows = await store.rows(looks.join(' UNION ALL '))
  return new Set(rows.map((row) => String(row['table_name'])))
}

function ledgerStatements(store: StoreReader, table: LedgerRelation): string[] {
  const names = table.columns.map((column) => quoteName(column.name))
  return [
    `CREATE TABLE ${inVersion(table.name)} AS SELECT ${names.join(', ')} FROM ${store.table(table.name)}`,
    ...comments('TABLE', table.name, table),
  ]
}

function viewStatements(view: AnalystView): string[] {
  return [
    `CREATE VIEW ${inVersion(view.name)} AS ${view.sql}`,
    ...comments('VIEW', view.name, view),
  ]
}

function macroStatements(macro: AnalystMacro): string[] {
  const name = inVersion(macro.name)
  return [
    `CREATE MACRO ${name}(${macro.parameters}) AS TABLE ${macro.sql}`,
    `COMMENT ON MACRO TABLE ${name} IS ${quoteText(macro.description)}`,
  ]
}

function comments(
  kind: 'TABLE' | 'VIEW',
  name: string,
  about: Parameters<typeof commentStatements>[2],
): string[] {
  return commentStatements(kind, inVersion(name), about)
}
