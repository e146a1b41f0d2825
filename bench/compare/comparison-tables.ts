import type { CoinlakeRun } from '../coinlake-run.ts'
import { figure, type FigureTable, type Row } from '../figure-table.ts'
import { steadyRowsPerS, type Pair, type PeerRun } from './peer.ts'
import { median } from '../median.ts'
import type { Workload } from './workload.ts'

const MIB = 1024 * 1024
/** Largest growth of the worker's memory for ten times the work. */
const MEMORY_GOAL = 1.25
/** Most memory of the worker for W2. */
const MEMORY_GOAL_MIB = 450
/** Largest ratio to the script for ten times W2, whole process. */
const GROWN_GOAL = 0.8

/** The measurements of one turn. `byHand`: null without Python. */
export interface Turn {
  serverStarted: Pair<CoinlakeRun>
  /** The same with a Temporal server that runs before. */
  serverUp: Pair<CoinlakeRun>
  /** The same with a resident worker; null = the workload does not measure it. */
  workerUp: Pair<CoinlakeRun> | null
  /** The hand-written script, with requests and pandas. */
  byHand: Pair<PeerRun> | null
}

/** Medians over the turns: coinlake, the script, and their ratio. */
export function comparisonTable(
  { steadyRows }: Pick<Workload, 'steadyRows'>,
  turns: readonly Turn[],
): FigureTable {
  const ours = turns.map((turn) => turn.serverStarted)
  const theirs = turns.flatMap(({ byHand }) => byHand ?? [])
  const row = (label: Omit<Row, 'cells'>, value: (pair: Pair<PeerRun>) => number): Row => {
    const a = median(ours.map(value))
    const b = median(theirs.map(value))
    return { ...label, cells: [figure(a), figure(b), figure(a / b)] }
  }
  const own = (label: Omit<Row, 'cells'>, value: (run: CoinlakeRun) => number): Row => {
    return { ...label, cells: [figure(median(ours.map(({ all }) => value(all)))), '', ''] }
  }
  return {
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
      own(seconds('  worker'), ({ root }) => root.cpuS),
      own(seconds('  Temporal'), ({ descendants }) => descendants.cpuS),
      row(mib('peak memory of all processes'), ({ all }) => all.whole.peakRssBytes / MIB),
      own(mib('  worker'), workerPeakMib),
      own(mib('  Temporal'), ({ descendants }) => descendants.peakRssBytes / MIB),
    ],
  }
}

/**
 * The goals: median ratios to the script, then the worker's memory.
 *
 * @param growth its last two are the work, and ten times as much; empty = no goals of growth
 */
export function goalTable(
  { goals }: Pick<Workload, 'goals'>,
  turns: readonly Turn[],
  growth: readonly Grown[] = [],
): FigureTable {
  const of = (kind: keyof Turn, value: (pair: Pair<PeerRun>) => number) =>
    median(turns.flatMap((turn) => (turn[kind] === null ? [] : [value(turn[kind])])))
  const wholeS = ({ all }: Pair<PeerRun>): number => all.wallS
  const steadyS = (pair: Pair<PeerRun>): number => 1 / steadyRowsPerS(pair)
  const [hand, handSteady] = [of('byHand', wholeS), of('byHand', steadyS)]
  const ratios: [string, number, number | null][] = [
    ['whole process, server started,', of('serverStarted', wholeS) / hand, goals.serverStarted],
    ['whole process, server up,', of('serverUp', wholeS) / hand, goals.serverUp],
    ['whole process, a resident worker,', of('workerUp', wholeS) / hand, goals.workerUp],
    ['steady state', of('serverUp', steadyS) / handSteady, goals.steady],
  ]
  const rows = ratios.flatMap(([name, ratio, atMost]): Row[] =>
    atMost === null
      ? []
      : [{ name: `${name} to the script`, cells: [{ value: figure(ratio), atMost }] }],
  )
  return {
    title: 'goals',
    columns: [{ name: 'ratio', decimals: 2 }],
    rows: [...rows, ...growthGoals(growth)],
  }
}

/** One size of the work. `byHandS`: null without Python. */
export interface Grown {
  ours: CoinlakeRun
  byHandS: number | null
}

function growthGoals(growth: readonly Grown[]): Row[] {
  const [small, large] = growth.slice(-2)
  if (small === undefined || large === undefined) return []
  const memory = figure(workerPeakMib(large.ours) / workerPeakMib(small.ours))
  const whole = large.byHandS === null ? null : figure(large.ours.wallS / large.byHandS)
  const times = Math.round(large.ours.rows / small.ours.rows)
  return [
    {
      name: `whole process at ${times} times the rows`,
      cells: [{ value: whole, atMost: GROWN_GOAL }],
    },
    {
      name: `memory of the worker at ${times} times the rows`,
      cells: [{ value: memory, atMost: MEMORY_GOAL }],
    },
  ]
}

/** Time and peak memory of the worker as the work grows from one call on. A Temporal server runs before. */
export function growthTable(growth: readonly Grown[]): FigureTable {
  return {
    title: 'as the work grows, server up',
    rowsAre: 'rows',
    columns: [
      { name: 'peak of the worker', unit: 'MiB', decimals: 0 },
      { name: 'wall', unit: 's', decimals: 2 },
      { name: 'by hand', unit: 's', decimals: 2 },
    ],
    rows: growth.map(({ ours, byHandS }, index) => {
      const value = workerPeakMib(ours)
      const peak = index === growth.length - 2 ? { value, atMost: MEMORY_GOAL_MIB } : value
      return { name: String(ours.rows), cells: [peak, ours.wallS, byHandS ?? ''] }
    }),
  }
}

/** The kernel's high-water mark of the process that fetches and loads. */
function workerPeakMib({ root }: PeerRun): number {
  return root.highWaterBytes / MIB
}

function seconds(name: string): Omit<Row, 'cells'> {
  return { name, unit: 's', decimals: 2 }
}

function mib(name: string): Omit<Row, 'cells'> {
  return { name, unit: 'MiB', decimals: 0 }
}
