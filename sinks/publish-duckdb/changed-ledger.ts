import { quoteName } from '../../datasets/ddl.ts'
import type { LedgerRelation } from '../publish/ledger-relation.ts'
import type { StoreReader } from '../publish/store-reader.ts'
import { inVersion } from './version-writer.ts'

/** Of how many rows on a relation is compared row by row; below, it is quicker to write it anew. */
const COMPARED_FROM_ROWS = 5_000

/**
 * Brings a ledger relation of the attached version to what the store holds. Rows of the ledger change
 * in place and no column says when, so rows are compared by the hash of all their columns; no two are
 * alike, as each relation has a key.
 */
export async function copyLedgerChanges(
  store: StoreReader,
  { name, columns, sql }: LedgerRelation,
): Promise<void> {
  const source = store.table(name)
  const target = inVersion(name)
  const names = columns.map((column) => quoteName(column.name)).join(', ')
  const [size] = await store.rows(`SELECT count(*) AS row_count FROM ${target}`)
  // A view would be worked out once more for each comparison.
  if (sql === undefined && Number(size?.['row_count']) >= COMPARED_FROM_ROWS) {
    const hash = `hash(${names})`
    await store.run(`DELETE FROM ${target} WHERE ${hash} NOT IN (SELECT ${hash} FROM ${source})`)
    await store.run(
      `INSERT INTO ${target} SELECT ${names} FROM ${source}
       WHERE ${hash} NOT IN (SELECT ${hash} FROM ${target})`,
    )
    const [counts] = await store.rows(
      `SELECT (SELECT count(*) FROM ${source}) = (SELECT count(*) FROM ${target}) AS is_equal`,
    )
    if (counts?.['is_equal'] === true) return
  }
  await store.run(`DELETE FROM ${target}`)
  await store.run(`INSERT INTO ${target} SELECT ${names} FROM ${source}`)
}
