import { createHash } from 'node:crypto'
import type { Column, Dataset, TableSpec } from '../../../datasets/dataset.ts'
import {
  columnComment,
  commentSql,
  defaultSql,
  duckdbType,
  quoteName,
  storedColumns,
} from '../../../datasets/table/ddl.ts'
import { coverageView } from '../../ledger/coverage-view.ts'
import { ledgerTables } from '../../ledger/ledger-tables.ts'
import { SCHEMA_VERSION, schemaVersionsTable } from '../../ledger/row-tables.ts'
import { SinkError } from '../../sink-error.ts'
import { viewStatements } from '../../views/view-statements.ts'
import { type Catalog, type CatalogColumn, readCatalog } from './catalog.ts'
import { everyOfSnapshots } from './every-of-snapshots.ts'
import { applyChanges, type Change, newTable, tablesInUse, emptyTables } from './table-changes.ts'
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
    access: Pick<StoreAccess, 'name' | 'isLake'>
    datasets: readonly Dataset[]
    coinlakeVersion: string
    nowMs: number
  },
): Promise<void> {
  const { access, datasets, coinlakeVersion, nowMs } = store
  const tables = datasets.flatMap((dataset) => dataset.tables)
  await session.transaction('migrate', async () => {
    const catalog = await readCatalog(session)
    await checkVersion(session, catalog, access.name)
    const isNew = catalog.size === 0
    const planned = isNew ? new Set<string>() : await tablesInUse(session, datasets)
    const unplanned = tables.filter(({ name }) => catalog.has(name) && !planned.has(name))
    // An older coinlake made them unasked.
    const dropped = await emptyTables(session, unplanned)
    const wanted = tables.filter(
      ({ name }) => planned.has(name) || (catalog.has(name) && !dropped.has(name)),
    )
    const changes = [
      ...[...dropped].map((name) => ({
        name: `no table ${name}`,
        statements: [`DROP TABLE ${quoteName(name)}`],
      })),
      ...ledgerTables.flatMap((table) => tableChanges(catalog, table, false, access.name)),
      ...wanted.flatMap((table) => tableChanges(catalog, table, true, access.name)),
      ...viewChanges(isNew ? null : await newestViewChange(session), access),
      ...(isNew ? [] : await everyOfSnapshots(session, datasets)),
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
  const standing = catalog.get(table.name)
  if (standing === undefined) return [newTable(table, lineage)]
  const byName = new Map(standing.map((column) => [column.name, column]))
  const columns = storedColumns(table, lineage)
  const changes = columns.flatMap((column) =>
    columnChanges(table.name, column, byName.get(column.name), file),
  )
  const isDescribed =
    standing[0]?.tableComment === table.description &&
    columns.every((column) => byName.get(column.name)?.comment === columnComment(column))
  if (isDescribed) return changes
  return [...changes, { name: `comment ${table.name}`, statements: commentSql(table, { lineage }) }]
}

/** @throws SinkError STORE_SCHEMA_CHANGED */
function columnChanges(
  table: string,
  column: Column,
  standing: CatalogColumn | undefined,
  file: string,
): Change[] {
  const name = `${quoteName(table)}.${quoteName(column.name)}`
  const type = duckdbType(column.type)
  if (standing !== undefined) {
    if (standing.type === type) return []
    throw schemaChanged(file, `${name} is ${standing.type} there and ${type} here`)
  }
  if (column.nullable === false && column.defaultsTo === undefined) {
    throw schemaChanged(file, `${name} is new and may not be null`)
  }
  const add = `ALTER TABLE ${quoteName(table)} ADD COLUMN ${quoteName(column.name)} ${type}${defaultSql(column)}`
  // An older store does not name the moving row. Views leave out all provisional rows until the next load.
  const mark = `UPDATE ${quoteName(table)} SET is_moving = true WHERE is_provisional`
  const statements = column.name === 'is_moving' ? [add, mark] : [add]
  return [{ name: `column ${table}.${column.name}`, statements }]
}

/** @param newest the name of the newest change of the view */
function viewChanges(newest: string | null, { isLake }: Pick<StoreAccess, 'isLake'>): Change[] {
  const { name, sql, description, columns } = coverageView
  const hash = createHash('sha256').update(sql).digest('hex').slice(0, VIEW_HASH_DIGITS)
  const change = `view ${name} ${hash}`
  if (newest === change) return []
  // A lake has no comments on columns of views.
  const described = { description, columns: isLake ? [] : columns }
  return [{ name: change, statements: viewStatements(quoteName(name), sql, described) }]
}

/** Only the newest change counts, so an older coinlake puts its own view back. */
async function newestViewChange(session: WriteSession): Promise<string | null> {
  const [row] = await session.rows<{ change: string }>(
    `SELECT change FROM ${schemaVersionsTable.name} WHERE starts_with(change, 'view ')
     ORDER BY changed_at DESC, rowid DESC LIMIT 1`,
  )
  return row?.change ?? null
}

function schemaChanged(file: string, what: string): SinkError {
  return new SinkError(`the store ${file} has another layout: ${what}`, {
    code: 'STORE_SCHEMA_CHANGED',
    hint: 'It was left as it is. Use the coinlake that made it, or another warehouse folder.',
  })
}
