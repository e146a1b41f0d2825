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

/**
 * The format that was asked for; else the one of the file's name; else a table on a terminal and CSV
 * for everything else.
 *
 * @throws QueryError BINARY_TO_TERMINAL; USAGE for an ending of no format
 */
export function chooseFormat(effects: Effects, asked: unknown, target: string): Format {
  const isTerminal = target === '-' && effects.isTable
  const ending = extname(target).toLowerCase()
  const named = FORMATS.find((one) => one === asked) ?? BY_EXTENSION[ending]
  // Programs would open CSV under another name as what the name says.
  if (named === undefined && ending !== '') throw noFormat(target, ending)
  const format = named ?? (isTerminal ? 'table' : 'csv')
  if (isTerminal && format === 'parquet') {
    throw new QueryError(`${format} is binary and standard output is a terminal`, {
      code: 'BINARY_TO_TERMINAL',
      hint: `Write it to a file with -o result.${format}, or pipe it into another program.`,
    })
  }
  return format
}

function noFormat(target: string, ending: string): QueryError {
  const endings = Object.keys(BY_EXTENSION).join(', ')
  return new QueryError(`-o ${target}: ${ending} is none of ${endings}`, {
    code: 'USAGE',
    hint: `Name it ${basename(target, extname(target))}.parquet, which readers of Arrow open too, or say by --format what to write under this name.`,
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
