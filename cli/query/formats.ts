import { basename, extname } from 'node:path'
import type { Effects } from '../effects.ts'
import { QueryError } from './query-error.ts'

/** Forms a query's result can be written in. */
export const FORMATS = ['table', 'json', 'csv', 'parquet'] as const

export type Format = (typeof FORMATS)[number]

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.parquet': 'parquet',
  '.txt': 'table',
}

/** CSV under such a name would be read by nobody. */
const ARROW_ENDINGS: readonly string[] = ['.arrow', '.arrows', '.feather']

/**
 * The format that was asked for; else the one of the file's name; else a table on a terminal and CSV
 * for everything else.
 *
 * @throws QueryError BINARY_TO_TERMINAL; USAGE for the name of an Arrow file
 */
export function chooseFormat(effects: Effects, asked: unknown, target: string): Format {
  const isTerminal = target === '-' && effects.isTable
  const ending = extname(target).toLowerCase()
  if (asked === undefined && ARROW_ENDINGS.includes(ending)) throw noArrow(target, ending)
  const format =
    FORMATS.find((one) => one === asked) ?? BY_EXTENSION[ending] ?? (isTerminal ? 'table' : 'csv')
  if (isTerminal && format === 'parquet') {
    throw new QueryError(`${format} is binary and standard output is a terminal`, {
      code: 'BINARY_TO_TERMINAL',
      hint: `Write it to a file with -o result.${format}, or pipe it into another program.`,
    })
  }
  return format
}

function noArrow(target: string, ending: string): QueryError {
  return new QueryError(`-o ${target}: Arrow is none of the formats`, {
    code: 'USAGE',
    hint: `Write Parquet, which readers of Arrow open too: -o ${basename(target, ending)}.parquet`,
  })
}

/** @throws QueryError USAGE, where formulas are to be marked in what is no CSV */
export function choseSafeCsv(asked: unknown, format: Format): boolean {
  if (asked !== true || format === 'csv') return asked === true
  throw new QueryError(`--safe-csv is for CSV, and this is ${format}`, {
    code: 'USAGE',
    hint: 'Leave it out, or write CSV: --format csv.',
  })
}

/** Cells of a line where a result goes: those of the terminal, else any number. */
export function lineWidth({ stdout, isTable }: Effects, target: string): number {
  if (target !== '-' || !isTable || !('columns' in stdout)) return Infinity
  return typeof stdout.columns === 'number' && stdout.columns > 0 ? stdout.columns : Infinity
}
