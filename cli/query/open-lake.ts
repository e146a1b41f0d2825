import type { DuckDBInstance } from '@duckdb/node-api'
import type { LakeConfig } from '../../config/lake.ts'
import { allTables } from '../../datasets/index.ts'
import { duckdbType, quoteName } from '../../datasets/table/ddl.ts'
import type { ReadablePaths } from '../../service/warehouse/lock-to-reading.ts'
import { coverageView } from '../../sinks/ledger/coverage-view.ts'
import { ledgerTables } from '../../sinks/ledger/ledger-tables.ts'
import { viewStatements } from '../../sinks/views/view-statements.ts'
import { treeViewStatements } from '../../sinks/publish-parquet/tree-views.ts'
import { isS3 } from '../../stage/s3-files.ts'
import { lakeTables, type LakeTable } from './lake-tables.ts'
import { openFiles } from './open-files.ts'

/**
 * Opens a lake to read, like a published file: with views of each table, the ledger and the analyst views. They read
 * the files of the newest snapshot. Readers see only whole loads and delay nobody, so nothing is published.
 *
 * @returns null when there is no lake yet
 * @throws SinkError STORE_CATALOG_UNREACHABLE, STORE_EXTENSION, ...
 */
export async function openDuckLake(
  lake: LakeConfig,
  readable: ReadablePaths = {},
): Promise<DuckDBInstance | null> {
  const tables = await lakeTables(lake)
  if (tables === null) return null
  const files = [...tables.values()].flatMap((table) => table.files)
  const bucket = isS3(lake.data) ? lake : null
  return await openFiles({ files, bucket, statements: statementsFor(tables) }, readable)
}

function statementsFor(inLake: ReadonlyMap<string, LakeTable>): string[] {
  const asked = allTables.filter(({ name }) => inLake.has(name))
  const ledger = ledgerTables.filter(({ name }) => inLake.has(name))
  const names = [...ledger, coverageView].map(({ name }) => name)
  return [
    ...ledger.flatMap((table) => {
      const stored = inLake.get(table.name)
      const columns = table.columns.map(({ name, type }) =>
        stored?.columns.has(name) === true
          ? quoteName(name)
          : `NULL::${duckdbType(type)} AS ${quoteName(name)}`,
      )
      const sql = `SELECT ${columns.join(', ')} FROM ${stored?.sql}`
      return viewStatements(quoteName(table.name), sql, table)
    }),
    ...viewStatements(quoteName(coverageView.name), coverageView.sql, coverageView),
    ...treeViewStatements(asked, ({ name }) => inLake.get(name)?.sql ?? null, names),
  ]
}
