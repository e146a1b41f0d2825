import { quoteText } from '../../../datasets/table/ddl.ts'
import { deleteRows } from '../merge/delete-rows.ts'
import { SLICE_DAMAGED } from './mark-damaged.ts'
import { TEMP, type Merge, stageName } from '../merge/merge.ts'
import { columnListSql, keyMatchSql } from '../merge/merge-sql.ts'

/**
 * Deletes the remaining rows of damaged slices that this load answers again. Series and snapshots lose all rows. In a
 * catalogue, a key that is answered again keeps one row, for its first_seen_at.
 */
export async function replaceDamaged(merge: Merge): Promise<void> {
  const { session, table } = merge
  const damaged = await session.rows(
    `SELECT l.slice_id FROM ${TEMP.slices} l JOIN _slices o USING (slice_id)
     WHERE o.state IN ('loaded', 'provisional', 'empty') OR o.code = ${quoteText(SLICE_DAMAGED)}
     GROUP BY l.slice_id HAVING arg_max(coalesce(o.code, ''), o.generation) = ${quoteText(SLICE_DAMAGED)}`,
  )
  if (damaged.length === 0) return
  const ids = damaged.map((row) => quoteText(String(row['slice_id']))).join(', ')
  const place = `row_number() OVER (PARTITION BY ${columnListSql(table.key, 't')} ORDER BY t.rowid)`
  const qualifySql =
    table.load === 'catalogue'
      ? `QUALIFY ${place} > 1 OR NOT EXISTS (
           SELECT 1 FROM ${stageName(table)} s WHERE ${keyMatchSql(table, 't', 's')})`
      : ''
  await deleteRows(
    merge,
    `JOIN ${TEMP.slices} l ON t.slice_id = l.slice_id AND t.fetched_at <= l.fetched_at
     WHERE t.slice_id IN (${ids}) ${qualifySql}`,
  )
}
