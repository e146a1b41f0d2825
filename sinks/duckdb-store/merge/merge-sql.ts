import type { TableSpec } from '../../../datasets/dataset.ts'
import { quoteName, quoteText } from '../../../datasets/table/ddl.ts'
import { WHOLE_TABLE } from '../../ledger/row-tables.ts'

export function columnListSql(names: readonly string[], alias?: string): string {
  const prefix = alias === undefined ? '' : `${alias}.`
  return names.map((name) => prefix + quoteName(name)).join(', ')
}

/** A test that two aliases have the same key. Key columns are never null. */
export function keyMatchSql(table: TableSpec, left: string, right: string): string {
  return table.key
    .map((name) => `${left}.${quoteName(name)} = ${right}.${quoteName(name)}`)
    .join(' AND ')
}

/** The month in which a row is published, as `_partitions` names it. */
export function monthSql({ monthBy }: TableSpec, alias: string): string {
  return monthBy === null
    ? quoteText(WHOLE_TABLE)
    : `strftime(${alias}.${quoteName(monthBy)} AT TIME ZONE 'UTC', '%Y-%m')`
}

export function valueColumns(table: TableSpec): string[] {
  return table.columns.map((column) => column.name).filter((name) => !table.key.includes(name))
}

/** A test that at least one value differs. A null equals a null. */
export function valuesDifferSql(table: TableSpec, left: string, right: string): string {
  const tests = valueColumns(table).map(
    (name) => `${left}.${quoteName(name)} IS DISTINCT FROM ${right}.${quoteName(name)}`,
  )
  return tests.length === 0 ? 'false' : `(${tests.join(' OR ')})`
}

/** A JSON object of columns: doubles in their shortest exact form, timestamps as UTC text. */
export function jsonObjectSql(names: readonly string[], alias: string): string {
  const pairs = names.map((name) => `${quoteText(name)}, ${alias}.${quoteName(name)}`)
  return `json_object(${pairs.join(', ')})::VARCHAR`
}
