import type { FigureTable } from './figure-table.ts'

export interface BenchFigures {
  /** The scenario in a sentence: amount, repetitions, and the figure that is shown. */
  scenario: string
  tables: FigureTable[]
  /** Why the figures are invalid. They are then shown but not kept. A missed goal is no failure. */
  failure?: string
}

export interface BenchContext {
  /** Folder for warehouses and databases. The caller empties it. */
  folder: string
  /** The arguments after its name. */
  args: readonly string[]
  /** Shows progress, not figures. */
  print: (line: string) => void
}

/** One benchmark: `npm run bench <name> [arguments]`. The list and the pages are made of these facts. */
export interface Benchmark {
  name: string
  /** The measured quantity, one line. */
  measures: string
  /** The arguments as a usage line shows them; empty = none. */
  args: string
  /** Approximate time on two quiet cores. */
  takes: string
  /** @throws BenchUsageError for invalid arguments */
  run: (context: BenchContext) => Promise<BenchFigures>
}

export class BenchUsageError extends Error {
  override name = 'BenchUsageError'
}

/**
 * Parses arguments as numbers above 0.
 *
 * @throws BenchUsageError that names the first other argument, or for more than `most`
 */
export function positiveNumbers(args: readonly string[], most = Infinity): number[] {
  if (args.length > most) throw new BenchUsageError('too many arguments')
  return args.map((text) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
    throw new BenchUsageError(`${JSON.stringify(text)} is not a number above 0`)
  })
}
