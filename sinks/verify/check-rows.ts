import { GRANULARITY_MS } from '../../api/granularity.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, quoteText, storedColumns } from '../../datasets/table/ddl.ts'
import {
  difference,
  type Difference,
  type VerifyContext,
  type VerifySource,
} from './verify-source.ts'

/**
 * Checks rules within a table:
 * - keys do not repeat
 * - a point is in its slice
 * - `bucket_at` is the start of the point's step.
 *
 * The number of points in a step is no rule, because the source's points jitter.
 */
export async function checkRows(
  context: VerifyContext,
  table: TableSpec,
  relation: string,
): Promise<Difference[]> {
  const rules: { check: Difference['check']; what: string; countSql: string }[] = [
    {
      check: 'duplicates',
      what: `rows that repeat a key (${table.key.join(', ')})`,
      countSql: `SELECT coalesce(sum(repeats - 1), 0)::BIGINT AS bad
       FROM (SELECT count(*) AS repeats FROM ${relation} GROUP BY ${table.key.map(quoteName).join(', ')} HAVING count(*) > 1)`,
    },
  ]
  if (table.load === 'facts') {
    const time = `t.${quoteName(table.monthBy!)}`
    rules.push({
      check: 'bounds',
      what: 'points outside the slice that brought them',
      countSql: `SELECT count(*) AS bad FROM ${relation} t
       JOIN (SELECT DISTINCT ON (slice_id) slice_id, from_at, to_at FROM ${context.source.ledger('_slices')}) s
         USING (slice_id) WHERE ${time} < s.from_at OR ${time} >= s.to_at`,
    })
  }
  if (isOnGrid(table)) {
    const steps = Object.entries(GRANULARITY_MS)
      .map(([name, stepMs]) => `WHEN ${quoteText(name)} THEN ${stepMs}`)
      .join(' ')
    rules.push({
      check: 'grid',
      what: 'points whose bucket_at is not the start of their step',
      countSql: `SELECT count(*) AS bad FROM ${relation}
       WHERE epoch_ms(bucket_at) <> epoch_ms(ts) - epoch_ms(ts) % (CASE granularity ${steps} END)`,
    })
  }
  const found: Difference[] = []
  for (const { check, what, countSql } of rules) {
    const bad = await badRows(context, countSql)
    const facts = { check, table: table.name, what, expected: 'none', found: `${bad} rows` }
    if (bad > 0) found.push(difference(context, facts))
  }
  return found
}

/** Whether an older coinlake wrote a publication: columns that no check could read are missing in it. */
export async function lacksColumns(
  { rows }: Pick<VerifySource, 'rows'>,
  table: TableSpec,
  relation: string | null,
): Promise<boolean> {
  if (relation === null) return false
  const found = await rows(`SELECT column_name FROM (DESCRIBE SELECT * FROM ${relation})`)
  const names = new Set(found.map((row) => String(row['column_name'])))
  return storedColumns(table).some(({ name }) => !names.has(name))
}

/** Checks that a publication has its rows in the order of its table. DuckDB sorted them, so NULLs compare alike. */
export async function checkOrder(
  context: VerifyContext,
  table: TableSpec,
  relation: string,
  what: string,
): Promise<Difference[]> {
  const sort = table.sort.map(quoteName).join(', ')
  // Without ORDER BY the window sees the rows as they stand, in constant memory.
  const bad = await badRows(
    context,
    `SELECT count(*) AS bad FROM (SELECT row(${sort}) < lag(row(${sort})) OVER () AS bad
     FROM ${relation}) WHERE bad`,
  )
  if (bad === 0) return []
  return [
    difference(context, {
      check: 'order',
      table: table.name,
      what,
      expected: `sorted by ${table.sort.join(', ')}`,
      found: `${bad} rows that sort before the row above them`,
    }),
  ]
}

async function badRows({ source }: VerifyContext, countSql: string): Promise<number> {
  const [row] = await source.rows<{ bad: number }>(countSql)
  return row!.bad
}

function isOnGrid({ columns }: TableSpec): boolean {
  const names = new Set(columns.map(({ name }) => name))
  return names.has('bucket_at') && names.has('granularity') && names.has('ts')
}
