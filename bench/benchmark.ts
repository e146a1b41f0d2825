import type { FigureTable } from './figure-table.ts'

/** The findings of a benchmark. */
export interface BenchFigures {
  /** The scenario in a sentence: how much, how often, and the figure that is shown. */
  scenario: string
  tables: FigureTable[]
  /** Why the figures are worth nothing; then they are shown and not kept. A missed goal is no failure. */
  failure?: string
}

/** The inputs of a benchmark. */
export interface BenchContext {
  /** For warehouses and databases; emptied by the caller. */
  folder: string
  /** The arguments after its name. */
  args: readonly string[]
  /** Shows how far it is. Figures are returned. */
  print: (line: string) => void
}

/** One benchmark: `npm run bench <name> [arguments]`. Its file describes it; the list and the pages follow. */
export interface Benchmark {
  name: string
  /** The measured quantity, one line. */
  measures: string
  /** As a usage shows them; empty = it takes none. */
  args: string
  /** About how long on two quiet cores. */
  takes: string
  /** The arguments that make it another scenario, of which figures are kept apart; all where this is left out. */
  variant?: (args: readonly string[]) => readonly string[]
  /** @throws BenchUsageError for arguments that it cannot take */
  run: (context: BenchContext) => Promise<BenchFigures>
}

/** Arguments that a benchmark cannot take. */
export class BenchUsageError extends Error {
  override name = 'BenchUsageError'
}

/**
 * Arguments that are numbers above 0.
 *
 * @throws BenchUsageError that names the first that is none
 */
export function positiveNumbers(args: readonly string[]): number[] {
  return args.map((text) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
    throw new BenchUsageError(`${JSON.stringify(text)} is not a number above 0`)
  })
}
