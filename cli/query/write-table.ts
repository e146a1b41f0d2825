import { styleText } from 'node:util'
import { DuckDBTypeId, type DuckDBType, type DuckDBValue } from '@duckdb/node-api'
import { printable, printableLines } from '../../config/values/foreign-text.ts'
import { mayColor, say, type Effects } from '../effects.ts'
import { alignedRows, columnWidths } from '../render/align-columns.ts'
import { clipToWidth, displayWidth, padToWidth } from '../render/display-width.ts'
import { cellText } from './cell-text.ts'
import type { WriteOptions } from './formats.ts'
import type { FormatInstant } from './instant-text.ts'
import type { Output } from './output.ts'
import type { QueryResult } from './query-result.ts'

/** Shown rows of a table without --all: one screen. */
const TABLE_ROWS = 40
/** Longer cells are cut, because descriptions and JSON would push all other columns away. */
const CELL_WIDTH = 60

const NUMBERS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
])

/** The text of a value; null = NULL. */
type Cell = string | null

/** Writes a table for people, and says whether it leaves rows out. */
export async function writeTable(
  effects: Effects,
  result: QueryResult,
  output: Output,
  { instant, isAll, width }: WriteOptions,
): Promise<void> {
  if (result.isPlan) return await writePlan(result, output)
  const limit = isAll ? Infinity : TABLE_ROWS
  const shown: Cell[][] = []
  let hasMore = false
  for await (const chunk of result.chunks) {
    const wanted = Math.min(chunk.rowCount, limit - shown.length)
    for (let row = 0; row < wanted; row++) {
      const cells = chunk.getRowValues(row)
      shown.push(cells.map((value, index) => cellOf(value, result.types[index]!, instant)))
    }
    hasMore = wanted < chunk.rowCount
    if (hasMore) break
  }
  if (result.names.length === 0) return
  const isColored = mayColor(effects, effects.isTerminal)
  const dim = (text: string): string =>
    isColored ? styleText('dim', text, { validateStream: false }) : text
  const names = result.names.map(printable)
  const table = drawTable(names, shown, result.types, dim)
  const isTooWide = shown.length > 0 && displayWidth(table[1] ?? '') > width
  const lines = isTooWide ? drawRecords(names, shown, { width, dim }) : table
  await output.draw(`${lines.join('\n')}\n`)
  if (hasMore) say(effects, '... and more rows (--all shows them)')
  else if (shown.length === 0) say(effects, 'no rows')
}

function cellOf(value: DuckDBValue, type: DuckDBType, instant: FormatInstant): Cell {
  if (value === null) return null
  return clipToWidth(printable(cellText(value, type, instant)), CELL_WIDTH)
}

function drawTable(
  names: readonly string[],
  rows: readonly (readonly Cell[])[],
  types: readonly DuckDBType[],
  dim: (text: string) => string,
): string[] {
  const right = types.flatMap(({ typeId }, column) => (NUMBERS.has(typeId) ? [column] : []))
  const drawn = rows.map((cells) => cells.map((text) => text ?? dim('NULL')))
  const widths = columnWidths([names, ...drawn])
  const rule = widths.map((width) => '-'.repeat(width))
  return alignedRows([names, rule, ...drawn], widths, right)
}

/** An EXPLAIN has its own lines. */
async function writePlan(result: QueryResult, output: Output): Promise<void> {
  for await (const chunk of result.chunks) {
    const drawings = chunk.getColumnValues(chunk.columnCount - 1)
    await output.draw(`${drawings.map((one) => printableLines(String(one))).join('\n')}\n`)
  }
}

const GAP = 2

/** Each row as a block with a line for each column. */
function drawRecords(
  names: readonly string[],
  rows: readonly (readonly Cell[])[],
  { width, dim }: { width: number; dim: (text: string) => string },
): string[] {
  const nameWidth = Math.max(...names.map((name) => displayWidth(name)))
  const valueWidth = Math.max(1, width - nameWidth - GAP)
  return rows.flatMap((row, index) => [
    `-- row ${index + 1} --`,
    ...row.map((text, column) => {
      const name = padToWidth(names[column] ?? '', nameWidth + GAP)
      const drawn = clipToWidth(text ?? 'NULL', valueWidth)
      return name + (text === null ? dim(drawn) : drawn)
    }),
  ])
}
