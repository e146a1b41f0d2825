import { columnsOf, newestSql, type NewestTable } from '../newest/newest-tables.ts'
import { difference, type Difference, type VerifyContext } from './verify-source.ts'

/** Compares a newest table with the history in the same publication. */
export async function checkNewest(
  context: VerifyContext,
  newest: NewestTable,
): Promise<Difference[]> {
  const { source } = context
  const [relation, history] = [source.relation(newest.table), source.relation(newest.source)]
  if (relation === null || history === null) return []
  const columns = columnsOf(newest)
  const [stored, expected] = [`SELECT ${columns} FROM ${relation}`, newestSql(newest, history)]
  const [row] = await source.rows<{ missing: number; extra: number }>(
    `SELECT (SELECT count(*) FROM ((${expected}) EXCEPT ALL (${stored}))) AS missing,
       (SELECT count(*) FROM ((${stored}) EXCEPT ALL (${expected}))) AS extra`,
  )
  const { missing, extra } = row!
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
