import { createHash } from 'node:crypto'
import type { Column, Dataset, TableSpec } from '../../../datasets/dataset.ts'
import {
  columnComment,
  defaultSql,
  duckdbType,
  quoteName,
  quoteText,
  storedColumns,
} from '../../../datasets/table/ddl.ts'
import { coverageView } from '../../ledger/coverage-view.ts'
import { ledgerTables } from '../../ledger/ledger-tables.ts'
import { SCHEMA_VERSION, schemaVersionsTable } from '../../ledger/schema-versions.ts'
import { slicesTable } from '../../ledger/slices.ts'
import { SinkError } from '../../sink-error.ts'
import { type Catalog, type CatalogColumn, readCatalog } from './catalog.ts'
import { everyOfSnapshots } from './every-of-snapshots.ts'
import {
  applyChanges,
  type Change,
  emptyTableDrops,
  newTable,
  plannedTables,
} from './table-changes.ts'
import type { WriteSession } from '../session.ts'
import type { StoreAccess } from '../opening/store-access.ts'

/** Hexadecimal digits of a view's hash in `_schema_versions`. Eight tell two versions of a view apart. */
const VIEW_HASH_DIGITS = 8

/**
 * Changes the store to match the specs, in one transaction: the ledger, and the tables of planned datasets. Adds
 * columns (nullable or with a default), renews comments, and gives old snapshots their granularity. Empty tables of
 * other datasets go. A store that needs more is refused and left as it is.
 *
 * @throws SinkError STORE_FOREIGN: a DuckDB file that is no store
 * @throws SinkError STORE_SCHEMA_NEWER
 * @throws SinkError STORE_SCHEMA_CHANGED: a column of another type, or a new one that may not be null
 */
export async function migrate(
  session: WriteSession,
  store: {
    access: Pick<StoreAccess, 'name' | 'hasViewColumnComments'>
    datasets: readonly Dataset[]
    coinlakeVersion: string
    nowMs: number
  },
): Promise<void> {
  const { access, datasets, coinlakeVersion, nowMs } = store
  const tables = datasets.flatMap((dataset) => dataset.tables)
  const file = access.name
  await session.transaction('migrate', async () => {
    const catalog = await readCatalog(session)
    await checkVersion(session, catalog, file)
    const planned = catalog.has(slicesTable.name)
      ? await plannedTables(session, datasets)
      : new Set<string>()
    const dropped = await emptyTableDrops(
      session,
      tables.filter(({ name }) => catalog.has(name) && !planned.has(name)),
    )
    const gone = new Set(dropped.map(({ table }) => table))
    const wanted = tables.filter(
      ({ name }) => planned.has(name) || (catalog.has(name) && !gone.has(name)),
    )
    const changes = [
      ...dropped,
      ...ledgerTables.flatMap((table) => tableChanges(catalog, table, false, file)),
      ...wanted.flatMap((table) => tableChanges(catalog, table, true, file)),
      ...viewChanges(await newestViewChange(session, catalog), access),
      ...(await snapshotEveryChanges(session, catalog, datasets)),
    ]
    await applyChanges(session, changes, { coinlakeVersion, nowMs })
  })
}

async function checkVersion(session: WriteSession, catalog: Catalog, file: string): Promise<void> {
  if (catalog.size === 0) return
  if (!catalog.has(schemaVersionsTable.name)) {
    const names = [...catalog.keys()].slice(0, 3).join(', ')
    throw new SinkError(`${file} is a DuckDB file with other tables (${names}), not a store`, {
      code: 'STORE_FOREIGN',
      hint: 'It was left as it is. Move it away, or choose another warehouse folder.',
    })
  }
  const [row] = await session.rows(
    `SELECT max(version) AS version, arg_max(coinlake_version, version) AS made_by
     FROM ${schemaVersionsTable.name}`,
  )
  if (Number(row?.['version'] ?? 0) <= SCHEMA_VERSION) return
  throw new SinkError(
    `the store ${file} has schema version ${row?.['version']}, this coinlake knows ${SCHEMA_VERSION}`,
    {
      code: 'STORE_SCHEMA_NEWER',
      hint: `Use coinlake ${row?.['made_by']} or newer, or another warehouse folder.`,
    },
  )
}

function tableChanges(
  catalog: Catalog,
  table: TableSpec,
  lineage: boolean,
  file: string,
): Change[] {
  const existing = catalog.get(table.name)
  if (existing === undefined) return [newTable(table, lineage)]
  const changes = storedColumns(table, lineage).flatMap((column) =>
    columnChanges(table.name, column, existing.columns.get(column.name), file),
  )
  if (existing.comment !== table.description) {
    const sql = `COMMENT ON TABLE ${quoteName(table.name)} IS ${quoteText(table.description)}`
    changes.push({ name: `comment ${table.name}`, statements: [sql] })
  }
  return changes
}

function columnChanges(
  tableName: string,
  column: Column,
  existing: CatalogColumn | undefined,
  file: string,
): Change[] {
  const name = `${quoteName(tableName)}.${quoteName(column.name)}`
  const type = duckdbType(column.type)
  const comment = `COMMENT ON COLUMN ${name} IS ${quoteText(columnComment(column))}`
  if (existing === undefined) {
    if (column.nullable === false && column.defaultsTo === undefined) {
      throw schemaChanged(file, `${name} is new and may not be null`)
    }
    const add = `ALTER TABLE ${quoteName(tableName)} ADD COLUMN ${quoteName(column.name)} ${type}${defaultSql(column)}`
    const statements = column.name === 'is_moving' ? [add, olderMovingSql(tableName)] : [add]
    return [{ name: `column ${tableName}.${column.name}`, statements: [...statements, comment] }]
  }
  if (existing.type !== type) {
    throw schemaChanged(file, `${name} is ${existing.type} there and ${type} here`)
  }
  if (existing.comment === columnComment(column)) return []
  return [{ name: `comment ${tableName}.${column.name}`, statements: [comment] }]
}

/** An older store does not name the moving row. Views leave out all provisional rows until the next load. */
function olderMovingSql(tableName: string): string {
  return `UPDATE ${quoteName(tableName)} SET is_moving = true WHERE is_provisional`
}

async function snapshotEveryChanges(
  session: WriteSession,
  catalog: Catalog,
  datasets: readonly Dataset[],
): Promise<Change[]> {
  if (!catalog.has(slicesTable.name)) return []
  const statements = await everyOfSnapshots(session, datasets)
  return statements.length === 0 ? [] : [{ name: 'every of snapshots', statements }]
}

function viewChanges(
  applied: ReadonlySet<string>,
  { hasViewColumnComments }: Pick<StoreAccess, 'hasViewColumnComments'>,
): Change[] {
  const { name, sql, description, columns } = coverageView
  const hash = createHash('sha256').update(sql).digest('hex').slice(0, VIEW_HASH_DIGITS)
  const change = `view ${name} ${hash}`
  if (applied.has(change)) return []
  const statements = [
    `CREATE OR REPLACE VIEW ${quoteName(name)} AS ${sql}`,
    `COMMENT ON VIEW ${quoteName(name)} IS ${quoteText(description)}`,
    ...(hasViewColumnComments ? columns : []).map(
      (column) =>
        `COMMENT ON COLUMN ${quoteName(name)}.${quoteName(column.name)} IS ${quoteText(columnComment(column))}`,
    ),
  ]
  return [{ name: change, statements }]
}

async function newestViewChange(session: WriteSession, catalog: Catalog): Promise<Set<string>> {
  if (!catalog.has(schemaVersionsTable.name)) return new Set()
  // Only the newest view counts, so an older coinlake puts its own view back.
  const rows = await session.rows(
    `SELECT change FROM ${schemaVersionsTable.name} WHERE starts_with(change, 'view ')
     ORDER BY changed_at DESC, rowid DESC LIMIT 1`,
  )
  return new Set(rows.map((row) => String(row['change'])))
}

function schemaChanged(file: string, what: string): SinkError {
  return new SinkError(`the store ${file} has another layout: ${what}`, {
    code: 'STORE_SCHEMA_CHANGED',
    hint: 'It was left as it is. Use the coinlake that made it, or another warehouse folder.',
  })
}
