import { styleText } from 'node:util'
import { printable } from '../../config/values/foreign-text.ts'
import { mayColor, say, type Effects } from '../effects.ts'
import { count, counted } from '../render/quantities.ts'
import type { Format } from './formats.ts'
import type { WriteInstant } from './instant-text.ts'
import type { Output } from './output.ts'
import type { QueryResult } from './query-result.ts'
import { TABLE_ROWS, writeTable } from './write-table.ts'

export interface WriteOptions {
  format: Exclude<Format, 'parquet'>
  instant: WriteInstant
  isAll: boolean
  /** Cells of a line of the target; see TableOptions. */
  width: number
  /** Whether formulas in CSV are marked as text. */
  isSafe: boolean
  isTerminal: boolean
}

export async function writeResult(
  effects: Effects,
  result: QueryResult,
  output: Output,
  { format, instant, isAll, width, isSafe, isTerminal }: WriteOptions,
): Promise<void> {
  switch (format) {
    case 'csv': {
      const { writeCsv } = await import('./write-csv.ts')
      const show = isTerminal ? printable : (text: string) => text
      const formulas = await writeCsv(result, output, { instant, isSafe, show })
      if (formulas > 0 && !isSafe && !isTerminal) {
        const begin = formulas === 1 ? 'begins' : 'begin'
        say(
          effects,
          `note: ${counted(formulas, 'cell')} ${begin} like a formula, which a spreadsheet would run; --safe-csv marks such text`,
        )
      }
      return
    }
    case 'json': {
      const { writeJson } = await import('./write-json.ts')
      return writeJson(result, output, instant)
    }
    case 'table': {
      const isColored = mayColor(effects, effects.isTerminal)
      const { rows, hidden, isWhole } = await writeTable(result, output, {
        instant,
        limit: isAll ? Infinity : TABLE_ROWS,
        width,
        dim: (text) => (isColored ? styleText('dim', text, { validateStream: false }) : text),
      })
      const least = isWhole ? '' : 'at least '
      if (hidden > 0) say(effects, `... ${least}${count(hidden)} more rows (--all shows them)`)
      else if (rows === 0 && result.names.length > 0) say(effects, 'no rows')
    }
  }
}
