import { extname } from 'node:path'
import type { Effects } from '../effects.ts'
import type { FormatInstant } from './instant-text.ts'
import { QueryError } from './query-error.ts'

export const FORMATS = ['table', 'json', 'csv', 'parquet'] as const

type Format = (typeof FORMATS)[number]

/** The way in which rows are written; each format takes some of it. */
export interface WriteOptions {
  instant: FormatInstant
  /** Whether a table has all rows, held in memory for their widths. */
  isAll: boolean
  /** Cells of a line; a wider table is drawn as records. Infinity = any. */
  width: number
  /** Whether formulas in CSV are marked as text. */
  isSafe: boolean
  /** Whether text is made printable for a terminal. */
  isTerminal: boolean
}

const BY_EXTENSION: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.json': 'json',
  '.parquet': 'parquet',
  '.txt': 'table',
}

/**
 * The wanted format, else that of the file's ending, else a table on a terminal and CSV elsewhere.
 *
 * @param others further endings that the command takes, for the message
 * @throws QueryError BINARY_TO_TERMINAL; USAGE for an unknown ending
 */
export function chooseFormat(
  effects: Effects,
  asked: unknown,
  target: string,
  others: readonly string[] = [],
): Format {
  const isTerminal = target === '-' && effects.isTerminal
  const ending = extname(target).toLowerCase()
  const named = FORMATS.find((one) => one === asked) ?? BY_EXTENSION[ending]
  // Programs trust the ending, so CSV does not go under an unknown one.
  if (named === undefined && ending !== '') {
    const endings = [...Object.keys(BY_EXTENSION), ...others].join(', ')
    throw new QueryError(`-o ${target}: ${ending} is none of ${endings}`, {
      code: 'USAGE',
      hint: 'Name it so, or choose a format for this name with --format.',
    })
  }
  const format = named ?? (isTerminal ? 'table' : 'csv')
  if (isTerminal && format === 'parquet') {
    throw new QueryError(`${format} is binary and standard output is a terminal`, {
      code: 'BINARY_TO_TERMINAL',
      hint: `Write it to a file with -o result.${format}, or pipe it into another program.`,
    })
  }
  return format
}

/** @throws QueryError USAGE for another format */
export function wantsSafeCsv(asked: unknown, format: Format): boolean {
  if (asked !== true || format === 'csv') return asked === true
  throw new QueryError(`--safe-csv is for CSV, and this is ${format}`, {
    code: 'USAGE',
    hint: 'Leave it out, or write CSV: --format csv.',
  })
}

/** Cells of a line of the target: those of the terminal, else Infinity. */
export function lineWidth({ stdout, isTerminal }: Effects, target: string): number {
  if (target !== '-' || !isTerminal || !('columns' in stdout)) return Infinity
  return typeof stdout.columns === 'number' && stdout.columns > 0 ? stdout.columns : Infinity
}
