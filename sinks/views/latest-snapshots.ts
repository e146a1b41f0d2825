import { column } from '../../datasets/table/column.ts'
import { COIN_MARKETS } from '../../datasets/coin-markets.ts'
import type { Column, Dataset, TableSpec } from '../../datasets/dataset.ts'
import { datasets } from '../../datasets/index.ts'
import { LEAVE_OUT_FLAGGED_SENTENCE } from '../../datasets/tickers/exchange-ticker-fields.ts'
import { OBSERVED_AT, ORDINAL } from '../../datasets/table/common-columns.ts'
import { quoteName } from '../../datasets/table/ddl.ts'
import { newestRelation, newestTablesOf } from '../newest/newest-tables.ts'
import type { AnalystView } from './analyst-view.ts'

/** How many key columns, from the first, name the entity of a slice. A slice without entity is a whole list. */
const ENTITY_COLUMNS = { coin: 1, exchange: 1, derivative_exchange: 1, token: 2, query: 1 }

/** Columns without figures. */
const LEFT_OUT: ReadonlySet<string> = new Set(['image', 'sparkline_in_7d', '_absent', '_extra'])

/** Flags of tickers. No view shows them. */
const FLAGS: ReadonlySet<string> = new Set(['is_stale', 'is_anomaly'])

const LEFT_OUT_COUNT = column(
  'left_out',
  'integer',
  'Pairs of the same observation that are left out because they are is_stale or is_anomaly.',
)

/** Volumes of the last 24 hours, by the source's names. */
const VOLUME = /^(?:(?:total|converted|trade)_)?volume(?:_24h)?(?=_|$)/
const MARKET_CAP = /^(?:market_cap|coin_mcap)(?:_usd|_btc)?$/

/**
 * `latest_<table>` of each snapshot with several rows per observation, and `latest_markets` of coin_markets. Entities
 * are observed one after another, so the table's newest time is that of one entity. The views take the newest time of
 * each.
 */
export const latestSnapshots: readonly AnalystView[] = datasets.flatMap((dataset) => {
  const tables = dataset.tables.filter(({ load }) => load === 'snapshot')
  // The first table has each observation, even one without rows in the others.
  return tables
    .filter(({ key }) => key.length > 1)
    .map((table) => latestOf(table, tables[0]!, entityOf(dataset, table)))
})

/**
 * The key columns of rows that are observed together. A listing by currency may have only the coins that were
 * chosen, so each of its rows counts alone.
 */
function entityOf({ entity, perCurrency }: Dataset, { key }: TableSpec): readonly string[] {
  if (perCurrency) return key.filter((name) => name !== OBSERVED_AT.name)
  return entity === null ? [] : key.slice(0, ENTITY_COLUMNS[entity])
}

function latestOf(table: TableSpec, moments: TableSpec, entity: readonly string[]): AnalystView {
  const { name, key, columns } = table
  const shown = columns.filter(
    (column) =>
      !LEFT_OUT.has(column.name) &&
      !FLAGS.has(column.name) &&
      (column !== ORDINAL || key.includes(column.name)),
  )
  const flags = columns.flatMap((column) => (FLAGS.has(column.name) ? [column.name] : []))
  const isFlagged = `(${flags.join(' OR ')}) IS TRUE`
  const hasFlags = flags.length > 0
  const entityClause = (words: string): string =>
    entity.length === 0 ? '' : ` ${words} ${entity.join(', ')}`
  const count = `count(*) FILTER (${isFlagged}) OVER (${entityClause('PARTITION BY').trim()}) AS left_out`
  const times = `SELECT ${[...entity, 'max(observed_at) AS observed_at'].join(', ')} FROM main.${moments.name}${entityClause('GROUP BY')}`
  const hasNewest = newestTablesOf([table]).length > 0
  const rows = hasNewest
    ? newestRelation(table)
    : `main.${name} JOIN (${times}) AS newest USING (${[...entity, OBSERVED_AT.name].join(', ')})`
  return {
    name: table === COIN_MARKETS ? 'latest_markets' : `latest_${name}`,
    description: descriptionOf(name, entity, hasFlags),
    needs: [...new Set([moments.name, name])],
    columns: [...shown.map(seenColumn), ...(hasFlags ? [LEFT_OUT_COUNT] : [])],
    snapshot: table,
    sql: `SELECT ${[...shown.map(expressionOf), ...(hasFlags ? [count] : [])].join(', ')}
FROM ${rows}${hasFlags ? `\nQUALIFY NOT ${isFlagged}` : ''}`,
  }
}

function descriptionOf(name: string, entity: readonly string[], hasFlags: boolean): string {
  const rowsText =
    entity.length === 0
      ? `The rows of the newest observation of the whole list in ${name}; entries that have left the list since are not there.`
      : `The rows of the newest observation of each ${entity.join(' and ')} in ${name}. Each has an observed_at of its own, and keeps its last observation when it is no longer listed or fetched.`
  return hasFlags
    ? `${rowsText} Pairs that the source marks as stale or as an anomaly are left out, and counted in left_out.`
    : rowsText
}

function seenColumn(column: Column): Column {
  const name = column.name.replace(VOLUME, 'volume_24h')
  const seen = column.description.replace(
    LEAVE_OUT_FLAGGED_SENTENCE,
    'Those pairs are left out already.',
  )
  if (!MARKET_CAP.test(name)) return { ...column, name, description: seen }
  const description = `${seen} NULL where the source says 0, which means unknown.`
  return { ...column, name, nullable: true, description }
}

function expressionOf({ name }: Column): string {
  if (MARKET_CAP.test(name)) return `nullif(${name}, 0) AS ${name}`
  const seen = name.replace(VOLUME, 'volume_24h')
  return seen === name ? quoteName(name) : `${quoteName(name)} AS ${seen}`
}
