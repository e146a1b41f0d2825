import { crashPoint } from '../../config/crash-point.ts'
import { newestTablesOf } from '../newest/newest-tables.ts'
import { storeMark } from '../publish/store-mark.ts'
import type { StoreReader } from '../publish/store-reader.ts'
import { applyChanges, changedTables, rowsSince } from './changed-rows.ts'
import { copyLedgerChanges } from './changed-ledger.ts'
import { publishedRowSql } from './published-row.ts'
import { publishedTable } from './published-table.ts'
import type { VersionContent, WrittenVersion } from './version-content.ts'
import type { VersionFacts } from './version-facts.ts'
import { isContinued } from './version-lineage.ts'
import { inVersion, writeVersion } from './version-writer.ts'
import { writeNewest } from './write-newest.ts'

/** Rows behind the sorted ones cost each query a little, and what was deleted keeps its place. */
const UNSORTED_SHARE = 0.1
/** What a query passes over in a few milliseconds, however small the rest is. */
const UNSORTED_ROWS = 1_000_000
/**
 * Rows that an extension brings to a table are in order among themselves: who asks for one series looks
 * at two of DuckDB's row groups (122,880 rows) of them, however many there are.
 */
const LOOKED_AT_ROWS = 245_760

/** Why a version was not extended; the next has to be built. The copy that was tried is worth nothing. */
export class NotExtended extends Error {}

/**
 * Makes the next published file of a copy of the newest one at `path`: what loads have changed since,
 * and nothing else, is written. The file holds what a new one would hold; rows that came since it was
 * last sorted stand behind the others.
 *
 * @throws NotExtended when the store does not continue what the copy shows, or too little would be
 *   left in order
 */
export async function extendVersion(
  store: StoreReader,
  path: string,
  content: VersionContent,
  base: VersionFacts,
): Promise<WrittenVersion> {
  return await writeVersion(store, path, async () => {
    const mark = await storeMark(store)
    if (!(await isContinued(store, content.ledgerTables, base.load_id))) {
      throw new NotExtended('the store has another past than the published file')
    }
    let { rows, unsorted_rows: unsortedRows } = base
    const bound = Math.max(UNSORTED_ROWS, rows * UNSORTED_SHARE)
    const since = await rowsSince(store, base.load_id)
    const expected = since.reduce(
      (sum, { came, went }) => sum + lookedAt(came) + went,
      unsortedRows,
    )
    if (expected > bound) {
      throw new NotExtended('too many rows would stand out of order')
    }
    const changed = await changedTables(store)
    for (const table of content.tables) {
      crashPoint('publish.build.before')
      if (changed.has(table.name)) {
        const { inserted, deleted } = await applyChanges(store, table, base.load_id)
        rows += inserted - deleted
        unsortedRows += table.load === 'catalogue' ? 0 : lookedAt(inserted) + deleted
      }
      crashPoint('publish.build.after')
    }
    await expectSameCounts(store, content)
    for (const newest of newestTablesOf(content.tables)) {
      if (changed.has(newest.source.name)) await writeNewest(store, newest, base.load_id)
    }
    for (const table of content.ledgerTables) await copyLedgerChanges(store, table)
    const published = inVersion(publishedTable.name)
    await store.run(`DELETE FROM ${published}`)
    await store.run(`INSERT INTO ${published} ${publishedRowSql(content.published, mark.loadId)}`)
    return { mark, rows, sortedLoadId: base.sorted_load_id, unsortedRows }
  })
}

function lookedAt(rowCount: number): number {
  return Math.min(rowCount, LOOKED_AT_ROWS)
}

/** Rows that somebody else took out of the store, or put into it, are in no ledger. */
async function expectSameCounts(store: StoreReader, { tables }: VersionContent): Promise<void> {
  const counts = tables.map(
    ({ name }) =>
      `SELECT (SELECT count(*) FROM ${store.table(name)}) = (SELECT count(*) FROM ${inVersion(name)}) AS is_same`,
  )
  if (counts.length === 0) return
  const [same] = await store.rows(
    `SELECT bool_and(is_same) AS are_same FROM (${counts.join(' UNION ALL ')})`,
  )
  if (same?.['are_same'] !== true) {
    throw new NotExtended('the store has other rows than its ledger says')
  }
}
