import { quoteName } from '../../datasets/ddl.ts'
import { contentsTable } from '../ledger/contents.ts'
import { loadsTable } from '../ledger/loads.ts'
import { partitionsTable } from '../ledger/partitions.ts'
import type { LedgerRelation } from '../publish/ledger-relation.ts'
import { pastSql } from '../publish/past-sql.ts'
import type { StoreReader } from '../publish/store-reader.ts'
import { inVersion } from './version-writer.ts'

/** The parts of the ledger that only grow, with the column that says by which load. */
const GROWING: ReadonlyMap<string, string> = new Map([
  [loadsTable.name, 'load_id'],
  [contentsTable.name, 'changed_by'],
])

/** Whether the ledger says enough for a version to be extended by what loads have changed. */
export function mayBeExtended(ledgerTables: readonly LedgerRelation[]): boolean {
  const names = new Set(ledgerTables.map(({ name }) => name))
  return [...GROWING.keys(), partitionsTable.name].every((name) => names.has(name))
}

/**
 * Whether the store has the very past that the attached version shows: each load and each change of a
 * slice's rows up to its newest load. A store that was restored, put back from a backup or repaired has
 * another one, and nothing says what differs.
 *
 * @param loadId the newest load of the version
 */
export async function isContinued(
  store: StoreReader,
  ledgerTables: readonly LedgerRelation[],
  loadId: number,
): Promise<boolean> {
  for (const { name, columns } of ledgerTables) {
    const grownBy = GROWING.get(name)
    if (grownBy === undefined) continue
    const row = columns.map((column) => quoteName(column.name)).join(', ')
    const past = (relation: string): string => pastSql(relation, { row, grownBy }, loadId)
    const [same] = await store.rows(
      `SELECT (${past(store.table(name))}) = (${past(inVersion(name))}) AS is_same`,
    )
    if (same?.['is_same'] !== true) return false
  }
  return true
}
