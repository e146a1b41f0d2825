import { Help } from 'commander'
import { keyUse, keysOf } from '../../config/settings/order-settings.ts'
import type { Column, Dataset, TableSpec } from '../../datasets/dataset.ts'
import { duckdbType, storedColumns } from '../../datasets/table/ddl.ts'
import type { AnalystMacro, AnalystView } from '../../sinks/views/analyst-view.ts'
import { analystMacros, analystViews } from '../../sinks/views/analyst-views.ts'
import { alignColumns } from '../render/align-columns.ts'

/** Width of texts in characters; fits a terminal of 100 columns. */
const TEXT_WIDTH = 96
const COLUMN_INDENT = 4
/** Commander's help; it would leave narrow columns unwrapped. */
const WRAPPER = Object.assign(new Help(), { minWidthToWrap: 1 })
/** Room for the longest name of a table. */
const MIN_TABLES_WIDTH = 28

/** A line for each dataset with its kind and tables, then the views and macros. @param width cells of a line */
export function datasetList(datasets: readonly Dataset[], width: number): string[] {
  const named = analystViews.filter(({ name, snapshot }) => name !== `latest_${snapshot?.name}`)
  const views = `views in coinlake.duckdb: ${named.map(({ name }) => name).join(', ')}, latest_<table> of each snapshot that has several rows; macros: ${analystMacros.map(({ name }) => name).join(', ')}`
  const kinds = datasets.map(({ name, kind }) => [name, kind])
  const heads = alignColumns(['dataset', 'kind'], kinds)
  const indent = Math.max(...heads.map((head) => head.length)) + 2
  const room = Math.max(MIN_TABLES_WIDTH, width - indent)
  const lines = heads.flatMap((head, index) => {
    const tables = datasets[index - 1]?.tables.map(({ name }) => name).join(', ') ?? 'tables'
    const [first = '', ...others] = wrapText(tables, room)
    return [head.padEnd(indent) + first, ...others.map((line) => ' '.repeat(indent) + line)]
  })
  return [...lines, '', ...wrapText(views, width), 'more about one: coinlake datasets NAME']
}

export function datasetText(dataset: Dataset): string[] {
  const keys = keysOf(dataset).map((key) =>
    keyUse(dataset, key) === 'required' ? `${key} (required)` : key,
  )
  return [
    `${dataset.name} (${dataset.kind})`,
    ...wrapText(dataset.description, TEXT_WIDTH),
    '',
    ...alignColumns(
      ['from:', `GET /v2/${dataset.operations[0]}`],
      [
        // One a line, because two operations of tokens are wider than a terminal.
        ...dataset.operations.slice(1).map((id) => ['', `GET /v2/${id}`]),
        ['configuration keys:', keys.join(', ') || 'none'],
        ...(dataset.granularities.length > 0
          ? [['granularities:', dataset.granularities.join(', ')]]
          : []),
      ],
    ),
    ...dataset.tables.flatMap(tableText),
    ...leftOutText(dataset),
  ]
}

export function viewText(view: AnalystView): string[] {
  return [
    `view ${view.name}`,
    ...wrapText(view.description, TEXT_WIDTH),
    `reads: ${view.needs.join(', ')}`,
    ...columnsText(view.columns, []),
  ]
}

export function macroText({ name, parameters, description, needs }: AnalystMacro): string[] {
  return [
    `macro ${name}(${parameters})`,
    ...wrapText(description, TEXT_WIDTH),
    `reads: ${needs.join(', ')}`,
  ]
}

function tableText(table: TableSpec): string[] {
  return [
    '',
    `table ${table.name}`,
    ...wrapText(table.description, TEXT_WIDTH),
    `key: ${table.key.join(', ')}`,
    ...columnsText(storedColumns(table), table.key),
  ]
}

function columnsText(columns: readonly Column[], key: readonly string[]): string[] {
  return columns.flatMap((column) => {
    const facts = [
      duckdbType(column.type),
      ...(column.nullable === false ? ['never NULL'] : []),
      ...(column.unit === null ? [] : [`in ${column.unit}`]),
      ...(key.includes(column.name) ? ['key'] : []),
    ]
    return [`  ${column.name}  ${facts.join(', ')}`, ...indentedText(column.description)]
  })
}

function leftOutText({ leftOut }: Dataset): string[] {
  if (leftOut.length === 0) return []
  return [
    '',
    'fields of the answers that become no column:',
    ...leftOut.flatMap(({ path, reason }) => [`  ${path}`, ...indentedText(reason)]),
  ]
}

function indentedText(text: string): string[] {
  const lines = wrapText(text, TEXT_WIDTH - COLUMN_INDENT)
  return lines.map((line) => `${' '.repeat(COLUMN_INDENT)}${line}`)
}

/** Text in lines of at most `width` characters, broken at blanks; a longer word keeps a line of its own. */
function wrapText(text: string, width: number): string[] {
  return WRAPPER.boxWrap(text, width).split('\n')
}
