import { BESIDE } from '../../../datasets/record/envelope.ts'
import { quoteName } from '../../../datasets/table/ddl.ts'
import { TEMP, type Merge, stageName } from './merge.ts'

/**
 * Leaves out rows that a load has twice. Of rows with equal keys the one fetched last stays. Rows that differ only in
 * their place in a listing (`placeColumn`) are one item. Its first place stays. Rows that also differ in another column
 * all stay.
 */
export async function dropRepeats(merge: Merge): Promise<void> {
  const { key, columns, placeColumn } = merge.table
  const newest = 'p.fetched_at DESC, s.page_no DESC, s.rowid DESC'
  await dropSame(merge, key, newest)
  if (placeColumn === undefined) return
  const others = columns.map(({ name }) => name).filter((name) => name !== placeColumn)
  await dropSame(merge, others, `s.${quoteName(placeColumn)}, s.rowid`)
}

/** @param order SQL order of equal rows, of which the first stays */
async function dropSame(
  { session, table, counts }: Merge,
  columns: readonly string[],
  order: string,
): Promise<void> {
  const stage = stageName(table)
  const isKept = `s.rowid NOT IN (SELECT row_no FROM ${TEMP.skip})`
  // Repeats are rare. A plain aggregate finds them, and only they are ranked.
  const compared = columns.map((name) => `${comparedSql(name)} AS ${quoteName(name)}`)
  const repeats = `SELECT ${compared.join(', ')} FROM ${stage} s WHERE ${isKept} GROUP BY ALL HAVING count(*) > 1`
  const [any] = await session.rows(`SELECT count(*) AS repeats FROM (${repeats})`)
  if (Number(any?.['repeats']) === 0) return
  // Requests of a series overlap on purpose. Pages of a listing do not: an item on two pages has moved.
  const pages = table.load === 'facts' ? '1' : 'count(DISTINCT s.page_no) OVER same'
  const isSame = columns.map(
    (name) => `${comparedSql(name)} IS NOT DISTINCT FROM r.${quoteName(name)}`,
  )
  const same = columns.map(comparedSql).join(', ')
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${TEMP.repeats} AS
     SELECT s.rowid AS row_no, p.ordinal, row_number() OVER (
         PARTITION BY ${same} ORDER BY ${order}) AS repeat_no,
       row_number() OVER same AS repeat_no_in_listing, ${pages} AS pages
     FROM ${stage} s JOIN ${TEMP.pages} p USING (page_no) SEMI JOIN (${repeats}) r ON ${isSame.join(' AND ')}
     WHERE ${isKept}
     WINDOW same AS (PARTITION BY p.ordinal, p.step, ${same})`,
  )
  await session.run(
    `INSERT INTO ${TEMP.skip} SELECT row_no FROM ${TEMP.repeats} WHERE repeat_no > 1`,
  )
  const rows = await session.rows(
    `SELECT ordinal, count(*) FILTER (repeat_no > 1) AS repeats,
       coalesce(sum(pages - 1) FILTER (repeat_no_in_listing = 1), 0) AS moved
     FROM ${TEMP.repeats} GROUP BY ordinal`,
  )
  for (const row of rows) {
    const [ordinal, dropped] = [Number(row['ordinal']), Number(row['repeats'])]
    add(counts.duplicateBySlice, ordinal, dropped)
    add(counts.movedBySlice, ordinal, Number(row['moved']))
    counts.duplicate += dropped
  }
}

/**
 * The first row of each page carries the members of its envelope, as the last key of `_extra`. They are no part of the
 * item. DuckDB's functions of JSON refuse half a surrogate pair, which a text of a source may have.
 */
function comparedSql(name: string): string {
  if (name !== '_extra') return `s.${quoteName(name)}`
  return `nullif(regexp_replace(s._extra, '[,{]"\\${BESIDE}":.*$', '}'), '}')`
}

function add(counts: Map<number, number>, ordinal: number, more: number): void {
  counts.set(ordinal, (counts.get(ordinal) ?? 0) + more)
}
