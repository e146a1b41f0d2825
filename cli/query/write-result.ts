import { styleText } from 'node:util'
import type { Effects } from '../effects.ts'
import { say } from '../effects.ts'
import { count } from '../render/quantities.ts'
import type { Format } from './formats.ts'
import type { InstantText } from './instant-text.ts'
import type { Output } from './output.ts'
import type { QueryResult } from './query-result.ts'
import { TABLE_ROWS, writeTable } from './write-table.ts'

export interface WriteOptions {
  format: Exclude<Format, 'parquet'>
  instant: InstantText
  zone: string
  /** Every row of a table, however many. */
  isAll: boolean
  /** Cells of a line where the result goes; see TableOptions. */
  width: number
}

/** Writes a result in the format asked for; what is said about it goes to stderr. */
export async function writeResult(
  effects: Effects,
  result: QueryResult,
  output: Output,
  { format, instant, zone, isAll, width }: WriteOptions,
): Promise<void> {
  switch (format) {
    case 'csv': {
      const { writeCsv } = await import('./write-csv.ts')
      return writeCsv(result, output, instant)
    }
    case 'json': {
      const { writeJson } = await import('./write-json.ts')
      return writeJson(result, output, instant)
    }
    case 'arrow': {
      const { writeArrow } = await import('./write-arrow.ts')
      return writeArrow(result, output, instant, zone)
    }
    case 'table': {
      const isColored = effects.isTable && effects.env['NO_COLOR'] === undefined
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
