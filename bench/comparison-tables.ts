import type { CoinlakeRun } from './coinlake-run.ts'
import { TEMPORAL, WORKER } from './coinlake-run.ts'
import { figure } from './figure-table.ts'
import type { FigureTable, Row } from './figure-table.ts'
import type { PeerRun } from './peer-run.ts'
import { median } from './table.ts'
import type { Workload } from './workload.ts'

const MIB = 1024 * 1024
/** What the worker may need as a multiple when the work is a multiple. */
const MEMORY_GOAL = 1.25
/** 300 MB, for the smaller work. */
const MEMORY_GOAL_MIB = 450

/** A peer's two runs of one turn. */
export interface Pair<Run extends PeerRun> {
  /** Few calls: mostly what a run takes whatever its size. */
  few: Run
  all: Run
}

/** What was measured side by side; `hand` is null where there is no Python. */
export interface Turn {
  ours: Pair<CoinlakeRun>
  /** The same with a Temporal server that was there before. */
  up: Pair<CoinlakeRun>
  /** Every answer kept, then parsed by DuckDB in one statement. */
  hand: Pair<PeerRun> | null
}

/** Rows a second once everything runs: what the larger run has more, by the time it takes longer. */
export function steadyRowsPerS({ few, all }: Pair<PeerRun>): number {
  return (all.rows - few.rows) / (all.wallS - few.wallS)
}

/** Medians over the turns: coinlake, the script, and coinlake as a multiple of it. */
export function comparisonTable(
  { steadyRows }: Pick<Workload, 'steadyRows'>,
  turns: readonly Turn[],
): FigureTable {
  const ours = turns.map((turn) => turn.ours)
  const theirs = turns.flatMap(({ hand }) => (hand === null ? [] : [hand]))
  const row = (label: Omit<Row, 'cells'>, value: (pair: Pair<PeerRun>) => number): Row => {
    const a = median(ours.map(value))
    const b = median(theirs.map(value))
    return { ...label, cells: [figure(a), figure(b), figure(a / b)] }
  }
  const own = (label: Omit<Row, 'cells'>, value: (run: CoinlakeRun) => number): Row => {
    return { ...label, cells: [figure(median(ours.map(({ all }) => value(all)))), '', ''] }
  }
  return {
    title: '',
    rowsAre: '',
    columns: [{ name: 'coinlake' }, { name: 'by hand' }, { name: 'ratio', decimals: 2 }],
    rows: [
      row(seconds('whole process'), ({ all }) => all.wallS),
      row(seconds('  start-up to the first request'), ({ all }) => all.startUpS),
      row(seconds('  first request to the end'), ({ all }) => all.workS),
      own(seconds('    of it the publication'), ({ publishS }) => publishS),
      row(seconds(`steady state, ${steadyRows.toLocaleString('en')} rows`), (pair) => {
        return steadyRows / steadyRowsPerS(pair)
      }),
      row({ name: '  rows/s', decimals: 0 }, steadyRowsPerS),
      row(seconds('CPU'), ({ all }) => all.whole.cpuS),
      own(seconds('  worker'), (run) => run.groups.get(WORKER)?.cpuS ?? 0),
      own(seconds('  Temporal'), (run) => run.groups.get(TEMPORAL)?.cpuS ?? 0),
      row(mib('peak memory of all processes'), ({ all }) => all.whole.peakRssBytes / MIB),
      own(mib('  worker'), workerPeakMib),
      own(mib('  Temporal'), (run) => (run.groups.get(TEMPORAL)?.peakRssBytes ?? 0) / MIB),
    ],
  }
}

/**
 * The goals: medians over the turns, each as a multiple of the script; then the worker's memory.
 *
 * @param memoryRuns the smaller work, and the larger; none = nothing is said of memory
 */
export function goalTable(
  { goals }: Pick<Workload, 'goals'>,
  turns: readonly Turn[],
  memoryRuns: readonly CoinlakeRun[] = [],
): FigureTable {
  const of = (kind: 'ours' | 'up' | 'hand', value: (pair: Pair<PeerRun>) => number) =>
    median(turns.flatMap((turn) => (turn[kind] === null ? [] : [value(turn[kind])])))
  const wholeS = ({ all }: Pair<PeerRun>): number => all.wallS
  const steadyS = (pair: Pair<PeerRun>): number => 1 / steadyRowsPerS(pair)
  const [hand, handSteady] = [of('hand', wholeS), of('hand', steadyS)]
  const line = (name: string, ratio: number, atMost: number | null): Row[] =>
    atMost === null ? [] : [{ name, cells: [{ value: figure(ratio), atMost }] }]
  return {
    title: 'goals',
    rowsAre: '',
    columns: [{ name: 'ratio', decimals: 2 }],
    rows: [
      ...line(
        'whole process, server started, to the script',
        of('ours', wholeS) / hand,
        goals.started,
      ),
      ...line('whole process, server up, to the script', of('up', wholeS) / hand, goals.up),
      ...line('steady state to the script', of('up', steadyS) / handSteady, goals.steady),
      ...memoryGoal(memoryRuns),
    ],
  }
}

function memoryGoal(runs: readonly CoinlakeRun[]): Row[] {
  const [small, large] = runs
  if (small === undefined || large === undefined) return []
  const times = Math.round(large.rows / small.rows)
  const value = figure(workerPeakMib(large) / workerPeakMib(small))
  const name = `memory of the worker at ${times} times the rows`
  return [{ name, cells: [{ value, atMost: MEMORY_GOAL }] }]
}

/** Peak memory of the worker as the work grows, and what it may be for the smallest. */
export function memoryTable(runs: readonly CoinlakeRun[]): FigureTable {
  return {
    title: 'the worker as the work grows',
    rowsAre: 'rows',
    columns: [
      { name: 'peak', unit: 'MiB', decimals: 0 },
      { name: 'wall', unit: 's', decimals: 2 },
    ],
    rows: runs.map((run, index) => {
      const value = workerPeakMib(run)
      const peak = index === 0 ? { value, atMost: MEMORY_GOAL_MIB } : value
      return { name: String(run.rows), cells: [peak, run.wallS] }
    }),
  }
}

/** The kernel's own high-water mark of the one process that fetches and loads. */
function workerPeakMib(run: PeerRun): number {
  return (run.groups.get(WORKER)?.highWaterBytes ?? 0) / MIB
}

function seconds(name: string): Omit<Row, 'cells'> {
  return { name, unit: 's', decimals: 2 }
}

function mib(name: string): Omit<Row, 'cells'> {
  return { name, unit: 'MiB', decimals: 0 }
}
