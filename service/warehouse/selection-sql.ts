import { DuckDBTimestampTZValue, type DuckDBValue } from '@duckdb/node-api'
import type { Column, RowSelection, TableSpec } from '../../datasets/dataset.ts'
import { quoteName } from '../../datasets/table/ddl.ts'

/**
 * A selection as SQL, with quoted names and bound values. Timestamps come as epoch ms, integers as numbers, both as
 * DOUBLE: exact to 2^53, and no BigInt. `hasLedger`: the warehouse has the table _slices, which has the buckets.
 */
export function selectionSql(table: TableSpec, selection: RowSelection, hasLedger: boolean) {
  const values: DuckDBValue[] = []
  const bind = (value: DuckDBValue): string => `$${values.push(value)}`
  const columnOf = (name: string): Column => {
    const column = table.columns.find((candidate) => candidate.name === name)
    if (column === undefined) throw new Error(`table ${table.name} has no column ${name}`)
    return column
  }
  const bound = (name: string, value: string | number): string =>
    bind(columnOf(name).type === 'timestamp' ? timestampOf(Number(value)) : value)

  const conditions: string[] = []
  for (const [name, value] of Object.entries(selection.equals ?? {})) {
    conditions.push(`${quoteName(name)} = ${bound(name, value)}`)
  }
  if (selection.oneOf !== undefined) {
    const { column, values: wanted } = selection.oneOf
    const list = wanted.map((value) => bound(column, value)).join(', ')
    conditions.push(wanted.length === 0 ? 'false' : `${quoteName(column)} IN (${list})`)
  }
  if (selection.between !== undefined) {
    const { column, fromMs, toMs } = selection.between
    conditions.push(
      `${quoteName(column)} BETWEEN ${bound(column, Math.ceil(fromMs))} AND ${bound(column, Math.floor(toMs))}`,
    )
  }
  if (selection.contains !== undefined) {
    const { columns, text, isWhole = false } = selection.contains
    const wanted = `lower(${bind(text)})`
    const held = columns.map((name) => {
      const own = `lower(${quoteName(columnOf(name).name)})`
      return isWhole ? `${own} = ${wanted}` : `contains(${own}, ${wanted})`
    })
    conditions.push(`(${held.join(' OR ')})`)
  }
  const source = quoteName(table.name)
  if (selection.newest !== undefined) {
    const { column, nowMs, unfiltered = false, bucket = false, gone = false } = selection.newest
    const per = bucket && !hasLedger ? [] : (selection.newest.per ?? [])
    const nowBound = bound(column, Math.floor(nowMs))
    const newest = {
      column: quoteName(columnOf(column).name),
      nowBound,
      source,
      conditions: unfiltered ? [] : [...conditions],
    }
    const groups = per.map((name) => quoteName(columnOf(name).name))
    if (bucket && hasLedger) conditions.push(inNewestBucket(newest))
    conditions.push(
      ...(table.load === 'catalogue'
        ? listedAt(newest, gone ? quoteName(table.key[0]!) : null)
        : newestOf(newest, groups)),
    )
  }

  const fixed = new Set(Object.keys(selection.equals ?? {}))
  const columns = table.columns.filter(({ name }) => !fixed.has(name))
  const expressions = columns.map(
    (column) => `${readExpression(column)} AS ${quoteName(column.name)}`,
  )
  const order = selection.orderBy.map(({ column, descending }) => {
    const { name, type } = columnOf(column)
    // DuckDB reads a sorted column back from its sort key, where -0 is 0. `+ 0` prevents that.
    const term = `${source}.${quoteName(name)}${type === 'double' ? ' + 0' : ''}`
    return `${term} ${descending === true ? 'DESC' : 'ASC'} NULLS LAST`
  })
  const clauses = [
    `SELECT ${expressions.join(', ')} FROM ${source}`,
    conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    order.length === 0 ? '' : `ORDER BY ${order.join(', ')}`,
    selection.limit === undefined ? '' : `LIMIT ${Math.trunc(selection.limit)}`,
    selection.offset === undefined ? '' : `OFFSET ${Math.trunc(selection.offset)}`,
  ]
  return {
    sql: clauses.filter((clause) => clause !== '').join(' '),
    /** Those of `$1`, `$2`, ... */
    values,
    /** The columns of the result, in order, without those that the selection fixes. */
    names: columns.map(({ name }) => name),
  }
}

interface Newest {
  /** Quoted. */
  column: string
  /** The placeholder for the answer's time. */
  nowBound: string
  source: string
  /** The conditions of the selection so far. */
  conditions: readonly string[]
}

/** Conditions for the newest rows up to the time; for each group if there are groups. */
function newestOf(
  { column, nowBound, source, conditions }: Newest,
  groups: readonly string[],
): string[] {
  const found = `FROM ${source} WHERE ${[...conditions, `${column} <= ${nowBound}`].join(' AND ')}`
  if (groups.length === 0) return [`${column} = (SELECT max(${column}) ${found})`]
  const keys = [...groups, column].join(', ')
  const newest = `SELECT ${groups.join(', ')}, max(${column}) ${found} GROUP BY ${groups.join(', ')}`
  return [`(${keys}) IN (${newest})`]
}

/**
 * The condition for rows since the start of the newest row's bucket. With an hourly and a daily order, the bucket is the
 * day: the longest slice that contains the row's slice.
 */
function inNewestBucket({ column, nowBound, source, conditions }: Newest): string {
  const by = [...conditions, `${column} <= ${nowBound}`].join(' AND ')
  const newest = `(SELECT max(${column}) FROM ${source} WHERE ${by})`
  const slices = `SELECT slice_id FROM ${source} WHERE ${[...conditions, `${column} = ${newest}`].join(' AND ')}`
  // By the source's clock a row may be older than its bucket. least() ignores NULL.
  const held = `SELECT min(h.from_at) FROM _slices h JOIN _slices n ON n.slice_id IN (${slices})
    AND h.dataset = n.dataset AND h.from_at <= n.from_at AND h.to_at > n.from_at`
  const start = `least((${held}), ${newest})`
  return `${column} >= ${start}`
}

/**
 * Conditions for the rows of a catalogue that were listed at the time: first seen before, and last seen after it or in
 * the newest listing. With `goneBy`, the column of ids: the newest row of each id that is no longer listed.
 */
function listedAt({ column, nowBound, source }: Newest, goneBy: string | null): string[] {
  const seenBefore = `first_seen_at <= ${nowBound}`
  const lastLook = `least(${nowBound}, (SELECT max(${column}) FROM ${source}))`
  if (goneBy === null) return [seenBefore, `${column} >= ${lastLook}`]
  const newest = `SELECT ${goneBy}, max(${column}) FROM ${source} WHERE ${seenBefore} GROUP BY ${goneBy}`
  return [seenBefore, `${column} < ${lastLook}`, `(${goneBy}, ${column}) IN (${newest})`]
}

const US_PER_MS = 1_000n

function timestampOf(ms: number): DuckDBTimestampTZValue {
  return new DuckDBTimestampTZValue(BigInt(ms) * US_PER_MS)
}

function readExpression({ name, type }: Column): string {
  const column = quoteName(name)
  if (type === 'timestamp') return `epoch_ms(${column})::DOUBLE`
  if (type === 'integer') return `${column}::DOUBLE`
  if (type === 'string') return withFirstMark(column)
  return column
}

/** Doubles a U+FEFF at the start of a text: the client's TextDecoder takes the first for a byte order mark. */
function withFirstMark(column: string): string {
  const mark = 'chr(65279)'
  return `CASE WHEN starts_with(${column}, ${mark}) THEN ${mark} || ${column} ELSE ${column} END`
}
