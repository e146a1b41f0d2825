import { DuckDBTypeId } from '@duckdb/node-api'
import type { DuckDBType } from '@duckdb/node-api'
import { cellTextOf } from './cell-json.ts'
import type { CellText } from './cell-json.ts'
import type { InstantText } from './instant-text.ts'
import type { Output } from './output.ts'
import type { QueryResult } from './query-result.ts'

/** Text that CSV readers would take apart. */
const NEEDS_QUOTES = /[",\r\n]/
/** First characters of what spreadsheets run, quoted or not. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** Types whose values may be any text: a number's `-` is no formula. */
const TEXTS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.ENUM,
  DuckDBTypeId.BLOB,
  DuckDBTypeId.UNION,
])

export interface CsvOptions {
  instant: InstantText
  /** Puts `'` before what a spreadsheet would run, as spreadsheets mark text themselves. */
  isSafe: boolean
  /** How text is written on a terminal; data are exact. */
  show: (text: string) => string
}

/**
 * CSV with a header, quoted as RFC 4180 says. Lines end in LF, which every reader takes and shell
 * tools need. NULL is nothing at all, an empty text is `""`.
 *
 * @returns how many cells begin as a formula does
 */
export async function writeCsv(
  result: QueryResult,
  output: Output,
  { instant, isSafe, show }: CsvOptions,
): Promise<number> {
  if (result.names.length === 0) return 0
  let formulas = 0
  const safe = (text: string): string => {
    // Text that reads as a number is one to a spreadsheet, too.
    if (!FORMULA.test(text) || !Number.isNaN(Number(text))) return text
    formulas += 1
    return isSafe ? `'${text}` : text
  }
  const cellOf = (type: DuckDBType): CellText => {
    const cell = cellTextOf(type, instant)
    return TEXTS.has(type.typeId) ? (value) => safe(cell(value)) : cell
  }
  const cells = result.types.map(cellOf)
  await output.write(`${result.names.map((name) => csvField(show(safe(name)))).join(',')}\n`)
  for await (const chunk of result.chunks) {
    const columns = cells.map((cell, index) =>
      chunk
        .getColumnValues(index)
        .map((value) => (value === null ? '' : csvField(show(cell(value))))),
    )
    let text = ''
    for (let row = 0; row < chunk.rowCount; row++) {
      text += `${columns.map((column) => column[row]).join(',')}\n`
    }
    await output.write(text)
  }
  return formulas
}

function csvField(text: string): string {
  return text === '' || NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
