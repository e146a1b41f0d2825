import { quoteName } from '../../../datasets/table/ddl.ts'
import { TEMP, type Merge } from './merge.ts'
import { monthSql } from './merge-sql.ts'
import { noteContentsSql } from '../load/note-contents.ts'

/**
 * Deletes rows of the target, notes that in `_contents` and marks their months for publication.
 *
 * @param which SQL after `FROM <target> t`
 */
export async function deleteRows(
  { session, table, loadId, counts }: Merge,
  which: string,
): Promise<void> {
  const target = `${quoteName(table.name)} t`
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${TEMP.gone} AS
     SELECT t.rowid AS row_no, ${monthSql(table, 't')} AS month FROM ${target} ${which}`,
  )
  const months = await session.rows(`SELECT DISTINCT month FROM ${TEMP.gone}`)
  if (months.length === 0) return
  for (const row of months) counts.months.add(String(row['month']))
  const gone = `FROM ${target} WHERE t.rowid IN (SELECT row_no FROM ${TEMP.gone})`
  await session.run(noteContentsSql(table, gone, { changedBy: loadId, isRemoved: true }))
  counts.replaced += await session.run(`DELETE ${gone}`)
}
