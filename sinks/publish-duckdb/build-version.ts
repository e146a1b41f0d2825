import { crashPoint } from '../../config/crash-point.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { createTableSql, quoteName, quoteText, storedColumns } from '../../datasets/ddl.ts'
import { commentStatements } from '../publish/comment-statements.ts'
import type { LedgerRelation } from '../publish/ledger-relation.ts'
import { storeMark, type StoreMark } from '../publish/store-mark.ts'
import type { StoreReader } from '../publish/store-reader.ts'
import type { AnalystView } from '../views/analyst-view.ts'
import type { AnalystMacro } from '../views/versions.ts'
import { publishedTable } from './published-table.ts'
import { sortedPieces } from './sorted-pieces.ts'

/** Opened by every DuckDB from 1.0 on; the default would follow the engine and shut old readers out. */
const STORAGE_VERSION = 'v1.0.0'
/**
 * About 65 MB: a sort of four million rows at once took 750 MB. At least three whole row groups of
 * DuckDB (122,880): smaller pieces leave parts of groups so near to each other that a checkpoint
 * merges them, and the file keeps the space of both.
 */
const ROWS_SORTED_AT_ONCE = 500_000
const ALIAS = 'coinlake_publication'

/** What goes into a published file. */
export interface VersionContent {
  tables: readonly TableSpec[]
  ledgerTables: readonly LedgerRelation[]
  views: readonly AnalystView[]
  macros: readonly AnalystMacro[]
  published: {
    runId: string
    publishedAtMs: number
    coinlakeVersion: string
    schemaVersion: number
  }
}

/**
 * Builds a published file at `path` (which must not exist): all of one moment of the store, sorted,
 * with comments, checkpointed and closed. Returns the moment and how many data rows it holds.
 */
export async function buildVersion(
  store: StoreReader,
  path: string,
  content: VersionContent,
): Promise<{ mark: StoreMark; rows: number }> {
  const detach = `DETACH DATABASE IF EXISTS ${ALIAS}`
  await store.run(detach)
  await store.run(`ATTACH ${quoteText(path)} AS ${ALIAS} (STORAGE_VERSION '${STORAGE_VERSION}')`)
  try {
    const built = await store.snapshot(async () => {
      const mark = await storeMark(store)
      let rows = 0
      for (const table of content.tables) {
        crashPoint('publish.build.before')
        rows += await copyTable(store, table)
        crashPoint('publish.build.after')
      }
      for (const table of content.ledgerTables) await copyLedger(store, table)
      await writePublished(store, content.published, mark.loadId)
      for (const view of content.views) await createView(store, view)
      for (const macro of content.macros) await createMacro(store, macro)
      return { mark, rows }
    })
    await store.run(`CHECKPOINT ${ALIAS}`)
    await store.run(detach)
    return built
  } catch (error) {
    await store.run(detach).catch(() => undefined)
    throw error
  }
}

function inFile(name: string): string {
  return `${ALIAS}.main.${quoteName(name)}`
}

async function copyTable(store: StoreReader, table: TableSpec): Promise<number> {
  const names = storedColumns(table).map((column) => quoteName(column.name))
  await store.run(createTableSql(table, { qualifier: `${ALIAS}.main.` }))
  let rows = 0
  for (const piece of await sortedPieces(store, table, ROWS_SORTED_AT_ONCE)) {
    rows += await store.count(
      `INSERT INTO ${inFile(table.name)} SELECT ${names.join(', ')} FROM ${store.table(table.name)}
       WHERE ${piece} ORDER BY ${table.sort.map(quoteName).join(', ')}`,
    )
  }
  await comment(store, 'TABLE', table.name, { ...table, columns: storedColumns(table) })
  return rows
}

async function copyLedger(store: StoreReader, table: LedgerRelation): Promise<void> {
  const names = table.columns.map((column) => quoteName(column.name))
  await store.run(
    `CREATE TABLE ${inFile(table.name)} AS SELECT ${names.join(', ')} FROM ${store.table(table.name)}`,
  )
  await comment(store, 'TABLE', table.name, table)
}

async function writePublished(
  store: StoreReader,
  run: VersionContent['published'],
  loadId: number,
): Promise<void> {
  await store.run(
    `CREATE TABLE ${inFile(publishedTable.name)} AS SELECT
       ${quoteText(run.runId)} AS run_id,
       make_timestamptz(${BigInt(Math.round(run.publishedAtMs)) * 1000n}) AS published_at,
       ${quoteText(run.coinlakeVersion)} AS coinlake_version,
       ${run.schemaVersion}::BIGINT AS schema_version, ${loadId}::BIGINT AS load_id`,
  )
  await comment(store, 'TABLE', publishedTable.name, publishedTable)
}

async function createView(store: StoreReader, view: AnalystView): Promise<void> {
  await store.run(`CREATE VIEW ${inFile(view.name)} AS ${view.sql}`)
  await comment(store, 'VIEW', view.name, view)
}

async function createMacro(store: StoreReader, macro: AnalystMacro): Promise<void> {
  const name = inFile(macro.name)
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
  await store.run(commentStatements(kind, inFile(name), about).join(';\n'))
}
