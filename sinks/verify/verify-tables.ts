import type { TableSpec } from '../../datasets/dataset.ts'
import { checkContents } from './check-contents.ts'
import { checkRows } from './check-rows.ts'
import { checkSeams } from './check-seams.ts'
import type { Difference, VerifyContext } from './verify-source.ts'

/** Compares all tables of a store or a published DuckDB file with the ledger beside them. */
export async function verifyTables(
  context: VerifyContext,
  tables: readonly TableSpec[],
): Promise<Difference[]> {
  const found: Difference[] = []
  for (const table of tables) {
    const relation = context.source.relation(table)
    if (relation === null) continue
    found.push(...(await checkContents(context, table, relation)))
    found.push(...(await checkRows(context, table, relation)))
  }
  found.push(...(await checkSeams(context)))
  return found
}
