import { DuckDBTimestampTZValue } from '@duckdb/node-api'
import type { DuckDBValue } from '@duckdb/node-api'
import type { Column, RowSelection, TableSpec } from '../datasets/dataset.ts'
import { quoteName } from '../datasets/ddl.ts'

/** A statement with `$1`, `$2`, ... and what they stand for. */
export interface BoundSql {
  sql: string
  values: DuckDBValue[]
  /** Columns of the result, in order: those of the table that the selection does not fix. */
  names: string[]
}

/**
 * A selection as SQL. Names are quoted, values bound. Timestamps come as epoch ms and integers as
 * numbers, both by way of DOUBLE, which is exact to 2^53 and needs no BigInt.
 */
export function selectionSql(table: TableSpec, selection: RowSelection): BoundSql {
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
  const source = quoteName(table.name)
  if (selection.newest !== undefined) {
    const { column, nowMs, per = [] } = selection.newest
    const known = [...conditions, `${quoteName(column)} <= ${bound(column, Math.floor(nowMs))}`]
    const groups = per.map((name) => quoteName(columnOf(name).name))
    const found = `FROM ${source} WHERE ${known.join(' AND ')}`
    const max = `max(${quoteName(column)})`
    conditions.push(
      groups.length === 0
        ? `${quoteName(column)} = (SELECT ${max} ${found})`
        : `(${[...groups, quoteName(column)].join(', ')}) IN (SELECT ${[...groups, max].join(', ')} ${found} GROUP BY ${groups.join(', ')})`,
    )
  }

  const fixed = new Set(Object.keys(selection.equals ?? {}))
  const columns = table.columns.filter(({ name }) => !fixed.has(name))
  const expressions = columns.map(
    (column) => `${readExpression(column)} AS ${quoteName(column.name)}`,
  )
  const order = selection.orderBy.map(({ column, descending }) => {
    return `${quoteName(columnOf(column).name)} ${descending === true ? 'DESC' : 'ASC'} NULLS LAST`
  })
  const clauses = [
    `SELECT ${expressions.join(', ')} FROM ${source}`,
    conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    order.length === 0 ? '' : `ORDER BY ${order.map((term) => `${source}.${term}`).join(', ')}`,
    selection.limit === undefined ? '' : `LIMIT ${Math.trunc(selection.limit)}`,
    selection.offset === undefined ? '' : `OFFSET ${Math.trunc(selection.offset)}`,
  ]
  return {
    sql: clauses.filter((clause) => clause !== '').join(' '),
    values,
    names: columns.map(({ name }) => name),
  }
}

const US_PER_MS = 1_000n

function timestampOf(ms: number): DuckDBTimestampTZValue {
  return new DuckDBTimestampTZValue(BigInt(ms) * US_PER_MS)
}

function readExpression({ name, type }: Column): string {
  const column = quoteName(name)
  if (type === 'timestamp') return `epoch_ms(${column})::DOUBLE`
  if (type === 'integer') return `${column}::DOUBLE`
  return column
}
