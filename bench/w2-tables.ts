import type { CoinlakeRun } from './coinlake-peer.ts'
import { TEMPORAL, WORKER } from './coinlake-peer.ts'
import type { PeerRun } from './peer-run.ts'
import { median, textTable } from './table.ts'

const MIB = 1024 * 1024

/** A peer's two runs of one turn. */
interface Pair<Run extends PeerRun> {
  /** Few coins: mostly what a run takes whatever its size. */
  few: Run
  all: Run
}

/** What was measured side by side; `hand` is null where there is no Python. */
export interface Turn {
  ours: Pair<CoinlakeRun>
  /** The same with a Temporal server that was there before. */
  up: Pair<CoinlakeRun>
  /** Every answer kept, then parsed by DuckDB in one statement. */
  bound: Pair<PeerRun>
  hand: Pair<PeerRun> | null
}

/** Rows a second once everything runs: what the larger run has more, by the time it takes longer. */
export function steadyRowsPerS({ few, all }: Pair<PeerRun>): number {
  return (all.rows - few.rows) / (all.wallS - few.wallS)
}

/** Medians over the turns: coinlake, the script, and coinlake as a multiple of it. */
export function comparisonTable(turns: readonly Turn[]): string[] {
  const ours = turns.map((turn) => turn.ours)
  const theirs = turns.flatMap(({ hand }) => (hand === null ? [] : [hand]))
  const row = (name: string, value: (pair: Pair<PeerRun>) => number, digits = 2): string[] => {
    const [a, b] = [ours, theirs].map((pairs) => median(pairs.map(value)))
    const cells = [a, b].map((figure) => fixed(figure, digits))
    return [name, ...cells, fixed((a ?? Number.NaN) / (b ?? Number.NaN), 2)]
  }
  const own = (name: string, value: (run: CoinlakeRun) => number, digits = 2): string[] => [
    name,
    fixed(median(ours.map(({ all }) => value(all))), digits),
    '',
    '',
  ]
  return textTable(
    ['', 'coinlake', 'by hand', 'ratio'],
    [
      row('whole process, s', ({ all }) => all.wallS),
      row('  start-up to the first request, s', ({ all }) => all.startUpS),
      row('  first request to the end, s', ({ all }) => all.workS),
      own('    of it the publication, s', ({ publishS }) => publishS),
      row('steady state, s per 100,000 rows', (pair) => 1e5 / steadyRowsPerS(pair)),
      row('  rows/s', steadyRowsPerS, 0),
      row('CPU, s', ({ all }) => all.whole.cpuS),
      own('  worker', (run) => run.groups.get(WORKER)?.cpuS ?? 0),
      own('  Temporal', (run) => run.groups.get(TEMPORAL)?.cpuS ?? 0),
      row('peak memory of all processes, MiB', ({ all }) => all.whole.peakRssBytes / MIB, 0),
      own('  worker', workerPeakMib, 0),
      own('  Temporal', (run) => (run.groups.get(TEMPORAL)?.peakRssBytes ?? 0) / MIB, 0),
    ],
  )
}

/** The goals, medians over the turns: each as a multiple of the script or of the bound. */
export function goalTable(turns: readonly Turn[]): string[] {
  const of = (kind: 'ours' | 'up' | 'bound' | 'hand', value: (pair: Pair<PeerRun>) => number) =>
    median(turns.flatMap((turn) => (turn[kind] === null ? [] : [value(turn[kind])])))
  const wholeS = ({ all }: Pair<PeerRun>): number => all.wallS
  const steadyS = (pair: Pair<PeerRun>): number => 1e5 / steadyRowsPerS(pair)
  const [hand, handSteady] = [of('hand', wholeS), of('hand', steadyS)]
  const line = (name: string, ratio: number, goal: number): string[] => [
    name,
    fixed(ratio, 2),
    fixed(goal, 2),
    ratio <= goal ? 'kept' : 'missed',
  ]
  return textTable(
    ['', 'ratio', 'at most', ''],
    [
      line('whole process, server started, to the script', of('ours', wholeS) / hand, 1),
      line('whole process, server up, to the script', of('up', wholeS) / hand, 0.65),
      line('steady state to the script', of('up', steadyS) / handSteady, 0.35),
      line('steady state to the bound', of('up', steadyS) / of('bound', steadyS), 1.5),
    ],
  )
}

/** Peak memory of the worker from the smaller to the larger run, and their ratio beside the goal. */
export function memoryTable(runs: readonly CoinlakeRun[], goal: number): string[] {
  const lines = runs.map((run) => [
    `${run.rows} rows`,
    fixed(workerPeakMib(run), 0),
    fixed(run.wallS, 2),
  ])
  const [small, large] = runs.map(workerPeakMib)
  const ratio = (large ?? Number.NaN) / (small ?? Number.NaN)
  const verdict = ratio <= goal ? 'kept' : 'missed'
  return [
    ...textTable(['', 'peak MiB', 'wall s'], lines),
    `ratio ${fixed(ratio, 2)}, goal at most ${goal}: ${verdict}`,
  ]
}

/** The kernel's own high-water mark of the one process that fetches and loads. */
function workerPeakMib(run: PeerRun): number {
  return (run.groups.get(WORKER)?.highWaterBytes ?? 0) / MIB
}

function fixed(value: number | undefined, digits: number): string {
  return value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits)
}
