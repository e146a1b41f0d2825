import { quoteName } from '../../../datasets/table/ddl.ts'
import { WHOLE_TABLE } from '../../ledger/row-tables.ts'
import { TEMP, type Merge, stageName } from './merge.ts'
import { noteContentsSql } from '../load/note-contents.ts'
import { columnListSql, keyMatchSql, valueColumns } from './merge-sql.ts'

/**
 * Merges a catalogue. A known key keeps the earliest first_seen_at and the latest last_seen_at. The newest answer gives
 * all other values. The caller inserts new keys.
 */
export async function mergeCatalogue({ session, table, loadId, counts }: Merge): Promise<void> {
  const stage = stageName(table)
  const sets = valueColumns(table).map((name) => {
    const column = quoteName(name)
    if (name === 'first_seen_at') return `${column} = least(t.${column}, n.${column})`
    if (name === 'last_seen_at') return `${column} = greatest(t.${column}, n.${column})`
    return newest(column)
  })
  const lineage = ['fetched_at', 'slice_id', 'load_id'].map((name) => newest(name))
  const matching = `FROM ${quoteName(table.name)} t SEMI JOIN (
      SELECT ${columnListSql(table.key, 's')} FROM ${stage} s
      WHERE s.rowid NOT IN (SELECT row_no FROM ${TEMP.skip})) n ON ${keyMatchSql(table, 't', 'n')}`
  await session.run(noteContentsSql(table, matching, { changedBy: loadId, isRemoved: true }))
  const found = await session.run(
    `UPDATE ${quoteName(table.name)} AS t SET ${[...sets, ...lineage].join(', ')}
     FROM (SELECT s.*, p.fetched_at, p.slice_id, $loadId AS load_id
           FROM ${stage} s JOIN ${TEMP.pages} p USING (page_no)
           WHERE s.rowid NOT IN (SELECT row_no FROM ${TEMP.skip})) AS n
     WHERE ${keyMatchSql(table, 't', 'n')}`,
    { loadId },
  )
  if (found === 0) return
  await session.run(noteContentsSql(table, matching, { changedBy: loadId }))
  counts.duplicate += found
  counts.months.add(WHOLE_TABLE)
  await session.run(
    `INSERT INTO ${TEMP.skip} SELECT s.rowid FROM ${stage} s
     SEMI JOIN ${quoteName(table.name)} t ON ${keyMatchSql(table, 't', 's')}`,
  )
}

function newest(column: string): string {
  return `${column} = CASE WHEN n.fetched_at >= t.fetched_at THEN n.${column} ELSE t.${column} END`
}
