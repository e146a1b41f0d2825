import { quoteName } from '../../../datasets/table/ddl.ts'
import { TEMP, type Merge } from './merge.ts'
import { noteContentsSql } from '../load/note-contents.ts'

/**
 * Deletes the rows of TEMP.gone (row_no, month), notes that in `_contents` and marks their months for publication.
 *
 * @returns the number of rows
 */
export async function deleteGone({ session, table, loadId, counts }: Merge): Promise<number> {
  const months = await session.rows(`SELECT DISTINCT month FROM ${TEMP.gone}`)
  if (months.length === 0) return 0
  for (const row of months) counts.months.add(String(row['month']))
  const gone = `FROM ${quoteName(table.name)} t WHERE t.rowid IN (SELECT row_no FROM ${TEMP.gone})`
  await session.run(noteContentsSql(table, gone, { changedBy: String(loadId), isRemoved: true }))
  return await session.run(
    `DELETE FROM ${quoteName(table.name)} WHERE rowid IN (SELECT row_no FROM ${TEMP.gone})`,
  )
}
