import { DuckDBTypeId } from '@duckdb/node-api'
import { cellText } from './cell-text.ts'
import type { WriteInstant } from './instant-text.ts'
import type { Output } from './output.ts'
import type { QueryResult } from './query-result.ts'

/** Text that CSV readers would split. */
const NEEDS_QUOTES_PATTERN = /[",\r\n]/
/** First characters of formulas, which spreadsheets run quoted or not. */
const FORMULA_PATTERN = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** Types with values of any text. The `-` of a number begins no formula. */
const TEXTS: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.ENUM,
  DuckDBTypeId.BLOB,
  DuckDBTypeId.UNION,
])

export interface CsvOptions {
  instant: WriteInstant
  /** Puts `'` before text that a spreadsheet would run, as spreadsheets mark text themselves. */
  isSafe: boolean
  /** Makes text printable on a terminal; other outputs keep it as it is. */
  show: (text: string) => string
}

/**
 * Writes CSV with a header, quoted by RFC 4180. Lines end in LF, which every reader takes and shell tools need. NULL is
 * an empty field, an empty text is `""`.
 *
 * @returns the number of cells that begin like a formula
 */
export async function writeCsv(
  result: QueryResult,
  output: Output,
  { instant, isSafe, show }: CsvOptions,
): Promise<number> {
  if (result.names.length === 0) return 0
  let formulas = 0
  const safe = (text: string): string => {
    // Spreadsheets read a numeric text as a number.
    if (!FORMULA_PATTERN.test(text) || !Number.isNaN(Number(text))) return text
    formulas += 1
    return isSafe ? `'${text}` : text
  }
  await output.write(`${result.names.map((name) => csvField(show(safe(name)))).join(',')}\n`)
  for await (const chunk of result.chunks) {
    const columns = result.types.map((type, index) => {
      const mayRun = TEXTS.has(type.typeId)
      return chunk.getColumnValues(index).map((value) => {
        if (value === null) return ''
        const text = cellText(value, type, instant)
        return csvField(show(mayRun ? safe(text) : text))
      })
    })
    let text = ''
    for (let row = 0; row < chunk.rowCount; row++) {
      text += `${columns.map((column) => column[row]).join(',')}\n`
    }
    await output.write(text)
  }
  return formulas
}

function csvField(text: string): string {
  return text === '' || NEEDS_QUOTES_PATTERN.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
