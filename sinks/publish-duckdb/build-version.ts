import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { createTableSql, quoteName, quoteText, storedColumns } from '../../datasets/ddl.ts'
import { commentStatements } from '../publish/comment-statements.ts'
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
    let rows = 0
    for (const table of content.tables) {
      crashPoint('publish.build.before')
      rows += await copyTable(store, table)
      crashPoint('publish.build.after')
    }
    for (const table of content.ledgerTables) await copyLedger(store, table)
    await store.run(
      `CREATE TABLE ${inVersion(publishedTable.name)} AS ${publishedRowSql(content.published, mark.loadId)}`,
    )
    await comment(store, 'TABLE', publishedTable.name, publishedTable)
    for (const view of content.views) await createView(store, view)
    for (const macro of content.macros) await createMacro(store, macro)
    return { mark, rows, sortedLoadId: mark.loadId, unsortedRows: 0 }
  })
}

async function copyTable(store: StoreReader, table: TableSpec): Promise<number> {
  await store.run(createTableSql(table, { qualifier: VERSION_QUALIFIER }))
  const rows = await insertSorted(store, table, inVersion(table.name))
  await comment(store, 'TABLE', table.name, { ...table, columns: storedColumns(table) })
  return rows
}

async function copyLedger(store: StoreReader, table: LedgerRelation): Promise<void> {
  const names = table.columns.map((column) => quoteName(column.name))
  await store.run(
    `CREATE TABLE ${inVersion(table.name)} AS SELECT ${names.join(', ')} FROM ${store.table(table.name)}`,
  )
  await comment(store, 'TABLE', table.name, table)
}

async function createView(store: StoreReader, view: AnalystView): Promise<void> {
  await store.run(`CREATE VIEW ${inVersion(view.name)} AS ${view.sql}`)
  await comment(store, 'VIEW', view.name, view)
}

async function createMacro(store: StoreReader, macro: AnalystMacro): Promise<void> {
  const name = inVersion(macro.name)
  await store.run(`CREATE MACRO ${name}(${macro.parameters}) AS TABLE ${macro.sql}`)
  await store.run(`COMMENT ON MACRO TABLE ${name} IS ${quoteText(macro.description)}`)
}

async function comment(
  store: StoreReader,
  kind: 'TABLE' | 'VIEW',
  name: string,
  about: Parameters<typeof commentStatements>[2],
): Promise<void> {
  // In one go: there are more than a thousand of them, which one by one took a third of a small publication.
  await store.run(commentStatements(kind, inVersion(name), about).join(';\n'))
}
