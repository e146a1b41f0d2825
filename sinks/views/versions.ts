import { column } from '../../datasets/table/column.ts'
import type { TableSpec } from '../../datasets/dataset.ts'
import { duckdbType, quoteName, quoteText } from '../../datasets/table/ddl.ts'
import { MARKET_CHART } from '../../datasets/market-chart.ts'
import { OHLC } from '../../datasets/ohlc.ts'
import { revisionsTable } from '../ledger/row-tables.ts'
import type { AnalystMacro, AnalystView } from './analyst-view.ts'

/** Histories that can be queried as they were known at a moment. */
const VERSIONED: readonly TableSpec[] = [MARKET_CHART, OHLC]

export const versionViews: readonly AnalystView[] = VERSIONED.map((table) => ({
  name: `${table.name}_versions`,
  description: `${table.name} as it was known over time: one row per settled value, including values that the source changed later. For the past as known at a moment filter known_from <= moment and (known_to is null or known_to > moment), or use \`FROM ${table.name}_as_of(moment)\`; of a file attached as x: \`FROM x.${table.name}_as_of(moment, db := 'x')\`.`,
  needs: [table.name, revisionsTable.name],
  columns: [
    ...table.columns,
    column('known_from', 'timestamp', 'When the source first answered this value.'),
    column(
      'known_to',
      'timestamp',
      'When the source answered another value; null = the present value.',
    ),
  ],
  sql: versionsSql(table),
}))

export const asOfMacros: readonly AnalystMacro[] = VERSIONED.map((table) => ({
  name: `${table.name}_as_of`,
  description: `${table.name} as it was known at a moment: settled values only. Of a file attached as x: db := 'x'.`,
  needs: [table.name, revisionsTable.name],
  parameters: "moment, db := 'main'",
  sql: `SELECT * EXCLUDE (known_from, known_to) FROM query_table(db || ${quoteText(`.${table.name}_versions`)})
WHERE known_from <= moment AND (known_to IS NULL OR known_to > moment)`,
}))

function versionsSql(table: TableSpec): string {
  const own = table.columns.map(({ name }) => quoteName(name)).join(', ')
  const earlier = table.columns.map(({ name, type }) => {
    const source = table.key.includes(name) ? 'key' : 'before'
    const path = quoteText(`$.${quoteName(name)}`)
    return `json_extract_string(${source}, ${path})::${duckdbType(type)} AS ${quoteName(name)}`
  })
  // An answer loaded late may be older than others in `_revisions`: its values count until the next first_seen_at of
  // their key. A point that left its time and came back later counts until replaced_at. `least` skips the NULL of the
  // last row, because DuckDB 2.0 drops a default of `lead` in stored views.
  return `SELECT ${own}, fetched_at AS known_from, NULL::TIMESTAMPTZ AS known_to
FROM main.${quoteName(table.name)} WHERE NOT is_provisional
UNION ALL
SELECT ${earlier.join(', ')}, first_seen_at, least(replaced_at, lead(first_seen_at) OVER (
  PARTITION BY key ORDER BY first_seen_at, replaced_at))
FROM main.${revisionsTable.name} WHERE table_name = ${quoteText(table.name)}`
}
