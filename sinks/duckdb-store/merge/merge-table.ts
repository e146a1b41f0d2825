import type { TableSpec } from '../../../datasets/dataset.ts'
import { quoteName } from '../../../datasets/table/ddl.ts'
import { WHOLE_TABLE } from '../../ledger/row-tables.ts'
import { TEMP, type Merge, MergeCounts, stageName, timeColumn } from './merge.ts'
import { mergeCatalogue } from './merge-catalogue.ts'
import { dropRepeats } from './drop-repeats.ts'
import { mergeFacts } from './merge-facts.ts'
import { columnListSql, keyMatchSql } from './merge-sql.ts'
import { noteContentsSql } from '../load/note-contents.ts'
import { replaceDamaged } from '../repair/replace-damaged.ts'
import type { Session } from '../session.ts'

/**
 * Rows that a table has already in the stretch of the staged ones:
 * - `fresh`: none, because no other slice has the stretch
 * - `older`: rows of earlier answers, so the table's `load` mode decides about known keys
 * - `kept`: rows that stay, so only new keys are inserted.
 */
export type StoredRows = 'fresh' | 'older' | 'kept'

/**
 * Merges the staged rows of a table. Repeats within the load are dropped first. Rows that are not dropped or known are
 * inserted in the sort order of the table. Fresh rows in order are inserted as they are, which saves most of the cost:
 * the search for repeats, the join and the sort.
 */
export async function mergeTable(
  session: Session,
  table: TableSpec,
  loadId: number,
  present: StoredRows,
): Promise<MergeCounts> {
  const merge: Merge = { session, table, loadId, counts: new MergeCounts(table.name) }
  await session.run(`CREATE OR REPLACE TEMP TABLE ${TEMP.skip} (row_no BIGINT)`)
  const isSorted = present === 'fresh' && (await isInOrder(merge))
  if (!isSorted) {
    await dropRepeats(merge)
    if (present === 'kept') await skipKnown(merge)
    else await meetOlder(merge)
  }
  await insertRest(merge, { isSorted })
  // Frees the memory of the staged rows before the next load.
  await session.run(`DROP TABLE ${stageName(table)}`)
  return merge.counts
}

async function meetOlder(merge: Merge): Promise<void> {
  const { table } = merge
  await replaceDamaged(merge)
  if (table.load === 'facts') await mergeFacts(merge)
  else if (table.load === 'catalogue') await mergeCatalogue(merge)
  else await skipPresent(merge)
}

async function skipKnown(merge: Merge): Promise<void> {
  if (merge.table.load === 'facts') await skipSuperseded(merge)
  await skipPresent(merge)
}

/** Whether the times of each slice only grow, and are within its bounds. Such rows repeat no key. */
async function isInOrder(merge: Merge): Promise<boolean> {
  const { session, table } = merge
  const time = timeColumn(merge)
  // Without ORDER BY the inner windows see the rows as they stand, in constant memory.
  const faults = await session.rows(
    `SELECT 1 FROM (
       SELECT page_no, min(time) AS low, max(time) AS high,
         bool_or(time <= time_before AND page_no = page_before) AS is_mixed
       FROM (SELECT page_no, ${time} AS time, lag(${time}) OVER () AS time_before, lag(page_no) OVER () AS page_before
         FROM ${stageName(table)})
       GROUP BY page_no)
     JOIN ${TEMP.pages} p USING (page_no) JOIN ${TEMP.slices} l USING (ordinal)
     QUALIFY is_mixed OR low < l.from_at OR high >= l.to_at
       OR low <= lag(high) OVER (PARTITION BY ordinal ORDER BY page_no)
     LIMIT 1`,
  )
  return faults.length === 0
}

/** Skips points of stretches that have a later answer. That answer counts, even without a point. */
async function skipSuperseded(merge: Merge): Promise<void> {
  const { session, table } = merge
  await session.run(
    `INSERT INTO ${TEMP.skip} SELECT DISTINCT s.rowid
     FROM ${stageName(table)} s JOIN ${TEMP.pages} p USING (page_no)
     JOIN ${TEMP.slices} l USING (ordinal)
     JOIN _slices o ON o.dataset = l.dataset AND o.entity = l.entity
       AND o.vs_currency = l.vs_currency AND o.granularity = l.granularity
     WHERE o.state IN ('loaded', 'provisional', 'empty') AND o.fetched_at > p.fetched_at
       AND s.${timeColumn(merge)} >= o.from_at AND s.${timeColumn(merge)} < o.to_at
       AND s.rowid NOT IN (SELECT row_no FROM ${TEMP.skip})`,
  )
}

async function skipPresent({ session, table, counts }: Merge): Promise<void> {
  counts.duplicate += await session.run(
    `INSERT INTO ${TEMP.skip} SELECT s.rowid FROM ${stageName(table)} s
     SEMI JOIN ${quoteName(table.name)} t ON ${keyMatchSql(table, 't', 's')}
     WHERE s.rowid NOT IN (SELECT row_no FROM ${TEMP.skip})`,
  )
}

async function insertRest(
  { session, table, loadId, counts }: Merge,
  { isSorted }: { isSorted: boolean },
): Promise<void> {
  const { monthBy } = table
  const isFacts = table.load === 'facts' && monthBy !== null
  const rest = `FROM ${stageName(table)} s JOIN ${TEMP.pages} p USING (page_no)
    WHERE s.rowid NOT IN (SELECT row_no FROM ${TEMP.skip})`
  const own = table.columns.map((column) => column.name)
  const lineage = ['fetched_at', 'slice_id', 'load_id']
  const flags = isFacts ? ['is_provisional', 'is_moving'] : []
  const time = `s.${quoteName(monthBy ?? '')}`
  const flagged = isFacts
    ? `, ${time} >= p.settled_to, ${time} IS NOT DISTINCT FROM p.moving_at`
    : ''
  counts.inserted = await session.run(
    `INSERT INTO ${quoteName(table.name)} (${columnListSql([...own, ...lineage, ...flags])})
     SELECT ${columnListSql(own, 's')}, p.fetched_at, p.slice_id, $loadId${flagged} ${rest}
     ${isSorted ? '' : `ORDER BY ${columnListSql(table.sort, 's')}`}`,
    { loadId },
  )
  if (counts.inserted === 0) return
  const inserted = `FROM (SELECT s.*, p.slice_id, ${loadId} AS load_id ${rest}) t`
  await session.run(noteContentsSql(table, inserted, { changedBy: loadId }))
  if (monthBy === null) {
    counts.months.add(WHOLE_TABLE)
    return
  }
  // Months become distinct before they become text. A million texts take ten times as long.
  const months = await session.rows(
    `SELECT strftime(month, '%Y-%m') AS month FROM (
       SELECT DISTINCT date_trunc('month', make_timestamp(epoch_us(s.${quoteName(monthBy)}))) AS month ${rest})`,
  )
  for (const row of months) counts.months.add(String(row['month']))
}
