import { columnsOf, newestSql } from '../newest/newest-sql.ts'
import type { NewestTable } from '../newest/newest-tables.ts'
import { difference } from './verify-source.ts'
import type { Difference, VerifyContext } from './verify-source.ts'

/** Compares a table of newest rows with the history in the same publication. */
export async function checkNewest(
  context: VerifyContext,
  newest: NewestTable,
): Promise<Difference[]> {
  const { source } = context
  const [held, whole] = [source.relation(newest.table), source.relation(newest.source)]
  if (held === null || whole === null) return []
  const columns = columnsOf(newest)
  const [stored, meant] = [`SELECT ${columns} FROM ${held}`, newestSql(newest, whole)]
  const [row] = await source.rows(
    `SELECT (SELECT count(*) FROM ((${meant}) EXCEPT ALL (${stored}))) AS missing,
       (SELECT count(*) FROM ((${stored}) EXCEPT ALL (${meant}))) AS extra`,
  )
  const [missing, extra] = [Number(row?.['missing']), Number(row?.['extra'])]
  if (missing + extra === 0) return []
  return [
    difference(context, {
      check: 'newest',
      table: newest.table.name,
      what: `the newest rows of ${newest.source.name}`,
      expected: 'those of the history',
      found: `${missing} missing, ${extra} others`,
    }),
  ]
}
