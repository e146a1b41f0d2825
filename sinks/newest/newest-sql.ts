import { quoteName, storedColumns } from '../../datasets/table/ddl.ts'
import type { NewestTable } from './newest-tables.ts'

/**
 * The SELECT of a newest table over the rows of its history.
 *
 * @param relation the rows as SQL to select from, read twice
 * @param where SQL condition for the rows that count
 */
export function newestSql(newest: NewestTable, relation: string, where = 'true'): string {
  const { series, time } = newest
  const names = series.map(quoteName).join(', ')
  const moment = quoteName(time)
  // A join with the greatest time: a window function would sort the whole history.
  return `SELECT ${columnsOf(newest)} FROM ${relation}
    SEMI JOIN (SELECT ${names}, max(${moment}) AS ${moment} FROM ${relation} WHERE ${where} GROUP BY ${names})
      USING (${names}, ${moment})
    WHERE ${where}`
}

/** The columns of a newest table, quoted. */
export function columnsOf({ table }: NewestTable): string {
  return storedColumns(table)
    .map(({ name }) => quoteName(name))
    .join(', ')
}
