import { quoteName, quoteText } from '../../../datasets/table/ddl.ts'
import { deleteRows } from './delete-rows.ts'
import { TEMP, type Merge, stageName, timeColumn } from './merge.ts'
import { jsonObjectSql, keyMatchSql, valueColumns, valuesDifferSql } from './merge-sql.ts'

/** The start of a point's bucket, in tables whose points jitter within one. */
const BUCKET = 'bucket_at'

/**
 * Merges facts. A column that an answer did not send keeps its stored value. Provisional rows within a claimed slice
 * are removed. A stored key with equal values is a duplicate. With other values the values fetched last stay, and
 * `_revisions` keeps both. If an answer has only other times in the bucket of a final point, that time is revised, too.
 */
export async function mergeFacts(merge: Merge): Promise<void> {
  const time = timeColumn(merge)
  await keepUnsent(merge, time)
  await noteOverlapped(merge)
  await removeProvisional(merge, time)
  await reviseRetimed(merge, time)
  await matchPresent(merge, time)
}

/** A test that the answer of a staged row `s` lacks an array. */
function isMarked(mark: string): string {
  return `contains(s._absent, ${quoteText(JSON.stringify(mark))})`
}

async function keepUnsent(merge: Merge, time: string): Promise<void> {
  const { session, table } = merge
  const stage = stageName(table)
  for (const [column, mark] of Object.entries(table.unsent ?? {})) {
    const name = quoteName(column)
    const marked = isMarked(mark)
    await session.run(
      `UPDATE ${stage} AS s SET ${name} = t.${name}, _absent = nullif(to_json(list_filter(
         s._absent::JSON::VARCHAR[], lambda one: one <> ${quoteText(mark)}))::VARCHAR, '[]')
       FROM ${quoteName(table.name)} t
       WHERE ${keyMatchSql(table, 't', 's')} AND ${marked} AND t.${name} IS NOT NULL
         AND ${await within(merge, time, time, `${stage} s WHERE ${marked}`)}`,
    )
  }
}

/**
 * Notes the slices that overlap the claimed ones, with the stretch and the time of the claimed answer. The slice of a row
 * names its series, so no key column of the table is needed. A row lies within its slice, so no other slice is looked at:
 * a year of hourly slices has millions of them.
 */
async function noteOverlapped({ session }: Merge): Promise<void> {
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${TEMP.overlapped} AS
     SELECT DISTINCT o.slice_id, l.from_at, l.to_at, l.fetched_at
     FROM _slices o JOIN ${TEMP.slices} l ON l.dataset = o.dataset AND l.entity = o.entity
       AND l.vs_currency = o.vs_currency AND l.granularity = o.granularity
       AND o.from_at < l.to_at AND o.to_at > l.from_at`,
  )
}

async function removeProvisional(merge: Merge, time: string): Promise<void> {
  await deleteRows(
    merge,
    `JOIN ${TEMP.overlapped} l ON ${isAnsweredAnew(merge, time)}
     WHERE t.is_provisional AND ${await within(merge, 'from_at', 'to_at', TEMP.slices)}`,
  )
}

/** An answer that lacks an array lacks the times of that array, so it proves no other time. */
async function reviseRetimed(merge: Merge, time: string): Promise<void> {
  const { session, table } = merge
  if (!table.columns.some(({ name }) => name === BUCKET)) return
  const series = table.key.filter((name) => quoteName(name) !== time)
  const isWhole = Object.values(table.unsent ?? {})
    .map((mark) => `AND NOT coalesce(bool_or(${isMarked(mark)}), false)`)
    .join(' ')
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${TEMP.matched} AS
     SELECT max(s.rowid) AS row_no, t.rowid AS target_no
     FROM ${quoteName(table.name)} t JOIN ${TEMP.overlapped} l ON ${isAnsweredAnew(merge, time)}
     JOIN ${stageName(table)} s ON ${[...series, BUCKET].map((name) => `t.${name} = s.${name}`).join(' AND ')}
     JOIN ${TEMP.pages} p ON p.page_no = s.page_no AND s.${time} < p.settled_to
     WHERE NOT t.is_provisional AND s.rowid NOT IN (SELECT row_no FROM ${TEMP.skip}) AND ${await within(merge, 'from_at', 'to_at', TEMP.slices)}
     GROUP BY t.rowid HAVING bool_and(t.${time} <> s.${time}) ${isWhole}`,
  )
  const values = valueColumns(table)
  const stored = jsonObjectSql(values, 't')
  const answered = jsonObjectSql([...table.key, ...values], 's')
  await noteRevisions(merge, `${stored}, ${answered}, t.fetched_at, p.fetched_at`)
  await deleteRows(merge, `WHERE t.rowid IN (SELECT target_no FROM ${TEMP.matched})`)
}

async function matchPresent(merge: Merge, time: string): Promise<void> {
  const { session, table, counts } = merge
  const name = quoteName(table.name)
  const stage = stageName(table)
  await session.run(
    `CREATE OR REPLACE TEMP TABLE ${TEMP.matched} AS
     SELECT s.rowid AS row_no, t.rowid AS target_no, ${valuesDifferSql(table, 't', 's')} AS changed,
       t.is_provisional AS provisional, p.fetched_at < t.fetched_at AS older
     FROM ${name} t JOIN ${stage} s ON ${keyMatchSql(table, 't', 's')} JOIN ${TEMP.pages} p USING (page_no)
     WHERE s.rowid NOT IN (SELECT row_no FROM ${TEMP.skip})
       AND ${await within(merge, time, time, stage)}`,
  )
  const [found] = await session.rows(
    `SELECT count(*) AS matched,
       count(*) FILTER (NOT changed AND NOT (provisional AND NOT older)) AS equal FROM ${TEMP.matched}`,
  )
  if (Number(found?.['matched']) === 0) return
  counts.duplicate += Number(found?.['equal'])
  const wins = 'NOT older AND (changed OR provisional)'
  const values = valueColumns(table)
  const stored = jsonObjectSql(values, 't')
  const answered = jsonObjectSql(values, 's')
  await noteRevisions(
    merge,
    `CASE WHEN m.older THEN ${answered} ELSE ${stored} END,
       CASE WHEN m.older THEN ${stored} ELSE ${answered} END,
       least(t.fetched_at, p.fetched_at), greatest(t.fetched_at, p.fetched_at)`,
    'WHERE m.changed AND NOT m.provisional',
  )
  await deleteRows(merge, `WHERE t.rowid IN (SELECT target_no FROM ${TEMP.matched} WHERE ${wins})`)
  await session.run(
    `INSERT INTO ${TEMP.skip} SELECT row_no FROM ${TEMP.matched} WHERE NOT (${wins})`,
  )
}

/**
 * Notes matched points in `_revisions`.
 *
 * @param values SQL of before, after, first_seen_at and replaced_at
 */
async function noteRevisions(
  { session, table, loadId, counts }: Merge,
  values: string,
  where = '',
): Promise<void> {
  counts.revised += await session.run(
    `INSERT INTO _revisions
       (table_name, key, before, after, first_seen_at, replaced_at, old_load_id, new_load_id)
     SELECT $table, ${jsonObjectSql(table.key, 't')}, ${values}, t.load_id, $loadId
     FROM ${TEMP.matched} m JOIN ${quoteName(table.name)} t ON t.rowid = m.target_no
     JOIN ${stageName(table)} s ON s.rowid = m.row_no JOIN ${TEMP.pages} p USING (page_no) ${where}`,
    { table: table.name, loadId },
  )
}

/**
 * A test that a claimed answer covers the row. An older answer (pages of a killed run, loaded late) covers no newer row.
 * No answer covers rows that this load has appended.
 */
function isAnsweredAnew({ loadId }: Merge, time: string): string {
  return `t.slice_id = l.slice_id AND t.${time} >= l.from_at AND t.${time} < l.to_at
       AND t.fetched_at <= l.fetched_at AND t.load_id <> ${loadId}`
}

/** A test of the target's time with constant bounds. DuckDB then skips whole row groups. */
async function within(
  { session, table }: Merge,
  lowColumn: string,
  highColumn: string,
  source: string,
): Promise<string> {
  const [bounds] = await session.rows(
    `SELECT min(${lowColumn})::VARCHAR AS low, max(${highColumn})::VARCHAR AS high FROM ${source}`,
  )
  const low = bounds?.['low'] ?? null
  if (low === null) return 'false'
  return `t.${timeColumn({ table })} BETWEEN '${low}'::TIMESTAMPTZ AND '${bounds?.['high']}'::TIMESTAMPTZ`
}
