import type { CoinlakeRun } from './coinlake-run.ts'
import { TEMPORAL, WORKER } from './coinlake-run.ts'
import { steadyRowsPerS } from './compare/comparison-tables.ts'
import type { Pair } from './compare/comparison-tables.ts'
import { figure } from './figure-table.ts'
import type { FigureTable } from './figure-table.ts'
import type { PeerRun } from './compare/peer-run.ts'
import { median } from './median.ts'
import type { ThreadGroup } from './machine/thread-split.ts'

const MIB = 1024 * 1024
const MILLION = 1e6
/** Least ratio of coinlake's rate to dlt's best. */
const GOAL = 1.2

/** A run with the CPU seconds of the worker's threads. */
export interface SplitRun extends CoinlakeRun {
  threads: Map<ThreadGroup, number>
}

/** CPU seconds that a million further rows cost. */
function cpuPerMillion<Run extends PeerRun>(
  { few, all }: Pair<Run>,
  cpuS: (run: Run) => number,
): number {
  return ((cpuS(all) - cpuS(few)) / (all.rows - few.rows)) * MILLION
}

/** Rate and cost of additional work: medians over the turns. */
export function marginalTable(
  ours: readonly Pair<CoinlakeRun>[],
  dlt: readonly Pair<PeerRun>[],
): FigureTable {
  const line = (name: string, pairs: readonly Pair<PeerRun>[]) => ({
    name,
    cells: [
      figure(median(pairs.map(steadyRowsPerS))),
      figure(median(pairs.map((pair) => cpuPerMillion(pair, ({ whole }) => whole.cpuS)))),
      figure(median(pairs.map(({ few }) => few.whole.peakRssBytes)) / MIB),
      figure(median(pairs.map(({ all }) => all.whole.peakRssBytes)) / MIB),
    ],
  })
  return {
    title: '',
    rowsAre: '',
    columns: [
      { name: 'rows/s', decimals: 0 },
      { name: 'CPU a million rows', unit: 's', decimals: 2 },
      { name: 'peak, few', unit: 'MiB', decimals: 0 },
      { name: 'peak, all', unit: 'MiB', decimals: 0 },
    ],
    rows: [line('coinlake', ours), line('dlt, at its best', dlt)],
  }
}

/** coinlake's rate as a multiple of dlt's; null without dlt. */
export function marginalGoal(
  ours: readonly Pair<CoinlakeRun>[],
  dlt: readonly Pair<PeerRun>[],
): FigureTable {
  const [a, b] = [ours, dlt].map((pairs: readonly Pair<PeerRun>[]) =>
    median(pairs.map(steadyRowsPerS)),
  )
  const value = figure((a ?? Number.NaN) / (b ?? Number.NaN))
  return {
    title: 'goals',
    rowsAre: '',
    columns: [{ name: 'ratio', decimals: 2 }],
    rows: [{ name: 'rate to that of dlt at its best', cells: [{ value, atLeast: GOAL }] }],
  }
}

/** CPU of a million further points, by the worker's threads and Temporal's server. */
export function splitTable(pairs: readonly Pair<SplitRun>[]): FigureTable {
  const of = (cpuS: (run: SplitRun) => number): number =>
    median(pairs.map((pair) => cpuPerMillion(pair, cpuS)))
  const whole = of((run) => run.whole.cpuS)
  const row = (name: string, cpuS: (run: SplitRun) => number) => {
    const seconds = of(cpuS)
    return { name, cells: [figure(seconds), figure((seconds / whole) * 100)] }
  }
  const groups = [...new Set(pairs.flatMap(({ all }) => [...all.threads.keys()]))]
  return {
    title: 'CPU of a million points',
    rowsAre: '',
    columns: [
      { name: 'seconds', decimals: 2 },
      { name: '%', decimals: 0 },
    ],
    rows: [
      row('coinlake', (run) => run.whole.cpuS),
      row('worker', (run) => run.groups.get(WORKER)?.cpuS ?? 0),
      ...groups.map((group) => row(`  ${group}`, ({ threads }) => threads.get(group) ?? 0)),
      row('Temporal server', (run) => run.groups.get(TEMPORAL)?.cpuS ?? 0),
    ],
  }
}
