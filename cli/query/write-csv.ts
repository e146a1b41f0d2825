import { DuckDBTypeId } from '@duckdb/node-api'
import { printable } from '../../config/values/foreign-text.ts'
import { say, type Effects } from '../effects.ts'
import { counted } from '../render/quantities.ts'
import { cellText } from './cell-text.ts'
import type { WriteOptions } from './formats.ts'
import type { Output } from './output.ts'
import type { QueryResult } from './query-result.ts'

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

/**
 * Writes CSV with a header, quoted by RFC 4180. Lines end in LF, which every reader takes and shell tools need. NULL is
 * an empty field, an empty text is `""`. With `isSafe` a `'` stands before text that a spreadsheet would run, as
 * spreadsheets mark text themselves; else a note counts such cells.
 */
export async function writeCsv(
  effects: Effects,
  result: QueryResult,
  output: Output,
  { instant, isSafe, isTerminal }: WriteOptions,
): Promise<void> {
  const show = isTerminal ? printable : (text: string) => text
  if (result.names.length === 0) return
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
  if (formulas === 0 || isSafe || isTerminal) return
  const begin = formulas === 1 ? 'begins' : 'begin'
  say(
    effects,
    `note: ${counted(formulas, 'cell')} ${begin} like a formula, which a spreadsheet would run; --safe-csv marks such text`,
  )
}

function csvField(text: string): string {
  return text === '' || NEEDS_QUOTES_PATTERN.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
