import { COIN_MARKETS } from '../../datasets/coin-markets.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { quoteName, storedColumns } from '../../datasets/table/ddl.ts'
import { MARKET_CHART } from '../../datasets/market-chart.ts'
import { TOKEN_MARKET_CHART } from '../../datasets/token-market-chart.ts'

/** Histories whose newest rows readers often want at once. */
const HISTORIES: ReadonlySet<string> = new Set([
  MARKET_CHART.name,
  TOKEN_MARKET_CHART.name,
  COIN_MARKETS.name,
])

/** The schema of the published file with the newest tables. Each has the name of its history. */
export const NEWEST_SCHEMA = 'newest'

/** A small table of a publication with the newest row of each series. */
export interface NewestTable {
  source: TableSpec
  /** The columns of the history, one row per series. Its name is that of its Parquet file. */
  table: TableSpec
  /** Columns that name a series: the key without the time, and for facts is_moving. */
  series: readonly string[]
  /** The time column, which decides what is newest. */
  time: string
}

export function newestTablesOf(tables: readonly TableSpec[]): NewestTable[] {
  return tables.flatMap((source) => {
    const { name, key, load, monthBy: time } = source
    if (!HISTORIES.has(name) || time === null) return []
    const own = key.filter((column) => column !== time)
    const series = load === 'facts' ? [...own, 'is_moving'] : own
    const table: TableSpec = {
      name: `${name}_newest`,
      description: descriptionOf(source, own, time),
      columns: source.columns,
      key: series,
      sort: series,
      load,
      monthBy: null,
    }
    return [{ source, table, series, time }]
  })
}

function descriptionOf({ name, load }: TableSpec, series: readonly string[], time: string): string {
  const last = `the row with the greatest ${time} per ${series.join(', ')}`
  const rows =
    load === 'facts'
      ? `${last}: one that belongs to a step, and one at the end of an answer (is_moving). Filter by is_moving, or read a view`
      : last
  return `The newest rows of ${name}: ${rows}. Made from ${name} at each publication, so that readers need not search all of it. The columns mean the same as there.`
}

/** The newest rows of a history as SQL to select from. */
export function newestRelation(source: TableSpec): string {
  return `${NEWEST_SCHEMA}.${quoteName(source.name)}`
}

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
