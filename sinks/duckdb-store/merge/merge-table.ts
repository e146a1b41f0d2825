import type { TableSpec } from '../../../datasets/dataset.ts'
import { quoteName } from '../../../datasets/table/ddl.ts'
import { WHOLE_TABLE } from '../../ledger/partitions.ts'
import { SinkError } from '../../sink-error.ts'
import { LOAD, noCounts, stageTable } from './merge.ts'
import type { Merge, MergeCounts } from './merge.ts'
import { mergeCatalogue } from './merge-catalogue.ts'
import { dropRepeats } from './drop-repeats.ts'
import { mergeFacts } from './merge-facts.ts'
import { columnList, keyMatch } from './merge-sql.ts'
import { noteContentsSql } from '../load/note-contents.ts'
import { replaceDamaged } from '../repair/replace-damaged.ts'
import type { Session } from '../session.ts'

/**
 * Brings the staged rows of a table in by its mode: repeats within the load are dropped first (the
 * one fetched last stays), then the mode decides about keys that are there, and the rest is inserted
 * in the table's sort order.
 */
export async function mergeTable(
  session: Session,
  table: TableSpec,
  loadId: number,
): Promise<MergeCounts> {
  return merged({ session, table, loadId }, async (merge) => {
    await replaceDamaged(merge)
    if (table.load === 'facts') await mergeFacts(merge, timeColumn(table))
    else if (table.load === 'catalogue') await mergeCatalogue(merge)
    else await skipPresent(merge)
  })
}

/** Brings in only rows whose key is not there; what is there stays, whatever the mode. */
export async function mergeAbsent(
  session: Session,
  table: TableSpec,
  loadId: number,
): Promise<MergeCounts> {
  return merged({ session, table, loadId }, async (merge) => {
    if (table.load === 'facts') await skipSuperseded(merge, quoteName(timeColumn(table)))
    await skipPresent(merge)
  })
}

/** Brings in staged rows of which none repeats a key or meets a row, in the order in which they were staged. */
export async function appendStaged(
  session: Session,
  table: TableSpec,
  loadId: number,
): Promise<MergeCounts> {
  const counts = noCounts(table.name)
  await session.run(NOTHING_SKIPPED)
  await insertRest({ session, table, loadId, counts }, { isSorted: true })
  await dropStaged(session, table)
  return counts
}

const NOTHING_SKIPPED = `CREATE OR REPLACE TEMP TABLE ${LOAD.skip} (row_no BIGINT)`

/** Gives the memory of staged rows back, which would else be held until the next load. */
async function dropStaged(session: Session, table: TableSpec): Promise<void> {
  await session.run(`DROP TABLE ${stageTable(table)}`)
}

/** @param meetPresent decides about the staged rows whose key is there */
async function merged(
  into: Omit<Merge, 'counts'>,
  meetPresent: (merge: Merge) => Promise<void>,
): Promise<MergeCounts> {
  const counts = noCounts(into.table.name)
  const merge = { ...into, counts }
  await merge.session.run(NOTHING_SKIPPED)
  await dropRepeats(merge)
  await meetPresent(merge)
  await insertRest(merge, { isSorted: false })
  await dropStaged(merge.session, merge.table)
  return counts
}

/** Points of a stretch that a later answer spoke of: that answer counts, also where it was silent. */
async function skipSuperseded({ session, table }: Merge, time: string): Promise<void> {
  await session.run(
    `INSERT INTO ${LOAD.skip} SELECT DISTINCT s.rowid
     FROM ${stageTable(table)} s JOIN ${LOAD.pages} p USING (page_no)
     JOIN ${LOAD.slices} l USING (ordinal)
     JOIN _slices o ON o.dataset = l.dataset AND o.entity = l.entity
       AND o.vs_currency = l.vs_currency AND o.granularity = l.granularity
     WHERE o.state IN ('loaded', 'provisional', 'empty') AND o.fetched_at > p.fetched_at
       AND s.${time} >= o.from_at AND s.${time} < o.to_at
       AND s.rowid NOT IN (SELECT row_no FROM ${LOAD.skip})`,
  )
}

/** The column that says when a fact holds. @throws SinkError STORE_TABLE_SPEC when there is none. */
function timeColumn(table: TableSpec): string {
  if (table.monthBy !== null) return table.monthBy
  throw new SinkError(`table ${table.name} holds facts but names no column to cut months by`, {
    code: 'STORE_TABLE_SPEC',
    hint: 'Give its TableSpec a monthBy.',
  })
}

/** Snapshots: a key that is there stays as it is. */
async function skipPresent({ session, table, counts }: Merge): Promise<void> {
  counts.duplicate += await session.run(
    `INSERT INTO ${LOAD.skip} SELECT s.rowid FROM ${stageTable(table)} s
     SEMI JOIN ${quoteName(table.name)} t ON ${keyMatch(table, 't', 's')}
     WHERE s.rowid NOT IN (SELECT row_no FROM ${LOAD.skip})`,
  )
}

async function insertRest(
  { session, table, loadId, counts }: Merge,
  { isSorted }: { isSorted: boolean },
): Promise<void> {
  const { monthBy } = table
  const facts = table.load === 'facts' && monthBy !== null
  const rest = `FROM ${stageTable(table)} s JOIN ${LOAD.pages} p USING (page_no)
    WHERE s.rowid NOT IN (SELECT row_no FROM ${LOAD.skip})`
  const own = table.columns.map((column) => column.name)
  const lineage = ['fetched_at', 'slice_id', 'load_id']
  const flags = facts ? ['is_provisional', 'is_moving'] : []
  const time = `s.${quoteName(monthBy ?? '')}`
  const flagged = facts ? `, ${time} >= p.settled_to, ${time} IS NOT DISTINCT FROM p.moving_at` : ''
  counts.inserted = await session.run(
    `INSERT INTO ${quoteName(table.name)} (${columnList([...own, ...lineage, ...flags])})
     SELECT ${columnList(own, 's')}, p.fetched_at, p.slice_id, $loadId${flagged} ${rest}
     ${isSorted ? '' : `ORDER BY ${columnList(table.sort, 's')}`}`,
    { loadId },
  )
  if (counts.inserted === 0) return
  const written = { sliceId: 'p.slice_id', loadId: String(loadId), changedBy: String(loadId) }
  await session.run(noteContentsSql(table, rest, { ...written, isRemoved: false }, 's'))
  if (monthBy === null) {
    counts.months.add(WHOLE_TABLE)
    return
  }
  // Months are compared before they become text: a million texts take ten times as long.
  const months = await session.rows(
    `SELECT strftime(month, '%Y-%m') AS month FROM (
       SELECT DISTINCT date_trunc('month', make_timestamp(epoch_us(s.${quoteName(monthBy)}))) AS month ${rest})`,
  )
  for (const row of months) counts.months.add(String(row['month']))
}
