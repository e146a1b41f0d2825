import type { Column, Dataset, TableSpec } from '../../datasets/dataset.ts'
import { duckdbType, storedColumns } from '../../datasets/table/ddl.ts'
import { allTables, datasets } from '../../datasets/index.ts'
import { coverageView } from '../../sinks/ledger/coverage-view.ts'
import { ledgerTables } from '../../sinks/ledger/ledger-tables.ts'
import { newestRelation, newestTablesOf } from '../../sinks/newest/newest-tables.ts'
import type { NewestTable } from '../../sinks/newest/newest-tables.ts'
import { publishedTable } from '../../sinks/publish-duckdb/published-table.ts'
import type { AnalystMacro, AnalystView } from '../../sinks/views/analyst-view.ts'
import { analystMacros, analystViews } from '../../sinks/views/analyst-views.ts'
import { code, tableLines } from './markdown.ts'

const INTRODUCTION = `# Data dictionary

Every table, view and column of a warehouse. Made by \`npm run docs\` from the descriptions in \`datasets/\` and
\`sinks/\`; the same texts are the comments in \`coinlake.duckdb\` and the metadata of the Parquet files.

All times are UTC (TIMESTAMPTZ), all days are UTC days (DATE). Where a unit is \`vs_currency\`, the row's
\`vs_currency\` column names it. A type followed by \`!\` is never NULL.`

const LOAD_WORDS: Readonly<Record<TableSpec['load'], string>> = {
  facts:
    'facts: one row per key; points that may still change are marked is_provisional and replaced by a later load; the last point of an answer, which has the time of the answer, is marked is_moving; when a final value changes, _revisions keeps the old one',
  snapshot: 'snapshots: rows are added per observation and never changed',
  catalogue: 'catalogue: one row per key; first_seen_at stays, the rest follows the newest listing',
}

const NEWEST = newestTablesOf(allTables)

/** docs/data-dictionary.md: the meaning of every table, view and column. */
export function dataDictionary(): string {
  return `${[
    INTRODUCTION,
    contents(),
    '## Views',
    'All are in `coinlake.duckdb`. `views.sql` makes them for DuckDB over the Parquet tree, except `coverage` and those named `_versions`. They show a point as soon as the source has it, mark points that may still change with `is_provisional`, and leave out only the moving point at the end of an answer (`is_moving`). Views named `_versions` have final values only.',
    ...analystViews.map(viewSection),
    '## Macros',
    'All are in `coinlake.duckdb`, for DuckDB from 1.4 on. `views.sql` makes `candles` over the Parquet tree.',
    ...analystMacros.map(macroSection),
    '## Tables',
    'In `coinlake.duckdb` and in the Parquet tree.',
    ...datasets.flatMap((dataset) =>
      dataset.tables.map((table) => section(stored(table), tableFacts(dataset, table))),
    ),
    '## Newest rows',
    'In the schema `newest` of `coinlake.duckdb` and in the Parquet tree, made from the tables at each publication. Other programs than DuckDB read them from the tree. In SQL the views have the same values and are easier to use.',
    ...NEWEST.map((newest) => section(stored(newest.table), newestFacts(newest))),
    '## Ledger',
    'In `coinlake.duckdb` only: requests, answers and gaps.',
    ...ledgerTables.map((table) => section(table, [`Key: ${table.key.map(code).join(', ')}.`])),
    section(coverageView, []),
    section(publishedTable, []),
  ].join('\n\n')}\n`
}

interface Described {
  name: string
  description: string
  columns: readonly Column[]
}

function stored(table: TableSpec): Described {
  return { ...table, columns: storedColumns(table) }
}

function contents(): string {
  const line = (title: string, names: readonly { name: string }[]): string =>
    `- ${title}: ${names.map(({ name }) => `[${name}](#${name})`).join(', ')}`
  return [
    line('Views', analystViews),
    line('Macros', analystMacros),
    line('Tables', allTables),
    line(
      'Newest rows',
      NEWEST.map(({ table }) => table),
    ),
    line('Ledger', [...ledgerTables, coverageView, publishedTable]),
  ].join('\n')
}

function tableFacts(dataset: Dataset, table: TableSpec): string[] {
  const operations = dataset.operations.map((id) => code(`GET /v2/${id}`)).join(', ')
  const files =
    table.monthBy === null
      ? `parquet/${table.name}/all.parquet`
      : `parquet/${table.name}/YYYY-MM.parquet`
  return [
    `Dataset: ${code(dataset.name)} (${dataset.kind}), from ${operations}.`,
    `Key: ${table.key.map(code).join(', ')}. Sorted by: ${table.sort.map(code).join(', ')}.`,
    `Rows: ${LOAD_WORDS[table.load]}.`,
    `Parquet: ${code(files)}${table.monthBy === null ? '' : `, by the UTC month of ${code(table.monthBy)}`}.`,
  ]
}

/** The section of a view. A view of a table's newest rows lists only the columns that differ from the table. */
function viewSection(view: AnalystView): string {
  const from = `From: ${view.needs.map(code).join(', ')}.`
  if (view.snapshot === undefined) return section(view, [from])
  const { name, columns } = view.snapshot
  const own = ownColumns(view)
  const gone = columns.filter((column) => !view.columns.some((one) => one.name === column.name))
  const as = `Columns: those of [${name}](#${name})`
  const without =
    gone.length === 0 ? '' : ` without ${gone.map((one) => code(one.name)).join(', ')}`
  return section({ ...view, columns: own }, [
    from,
    `${as}${without}${own.length === 0 ? '.' : ', and:'}`,
  ])
}

function macroSection({ name, parameters, description, needs }: AnalystMacro): string {
  const call = code(`FROM ${name}(${parameters})`)
  return `### ${name}\n\n${description}\n\n- ${call}\n- From: ${needs.map(code).join(', ')}.`
}

/** The columns of a view that differ from those of its table. */
function ownColumns({ columns, snapshot }: AnalystView): readonly Column[] {
  return columns.filter(
    ({ name, description }) =>
      snapshot?.columns.some((one) => one.name === name && one.description === description) !==
      true,
  )
}

function newestFacts({ source, table }: NewestTable): string[] {
  const relation = newestRelation(source)
  const views = analystViews.filter(({ sql }) => sql.includes(relation))
  return [
    `In SQL: ${code(relation.replaceAll('"', ''))}. From: ${code(source.name)}. Key: ${table.key.map(code).join(', ')}.`,
    `Views: ${views.map(({ name }) => `[${name}](#${name})`).join(', ')}.`,
    `Parquet: ${code(`parquet/${table.name}/all.parquet`)}.`,
  ]
}

function section(about: Described, facts: readonly string[]): string {
  const rows = about.columns.map(({ name, type, unit, description, nullable }) => [
    code(name),
    `${duckdbType(type)}${nullable === false ? '!' : ''}`,
    unit ?? '',
    // An angle bracket would begin HTML.
    description.replaceAll('<', '&lt;').replaceAll('\n', ' '),
  ])
  return [
    `### ${about.name}`,
    about.description,
    ...(facts.length > 0 ? [facts.map((fact) => `- ${fact}`).join('\n')] : []),
    ...(rows.length > 0
      ? [tableLines(['column', 'type', 'unit', 'meaning'], rows).join('\n')]
      : []),
  ].join('\n\n')
}
