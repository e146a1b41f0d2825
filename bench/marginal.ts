import { join } from 'node:path'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import { startBenchService } from './service/bench-service.ts'
import { POINTS_PER_CALL } from './service/chart-bodies.ts'
import { runCoinlake, type CoinlakeRun } from './coinlake-run.ts'
import { pairOf, steadyRowsPerS, type Pair, type PeerRun, type PeerWork } from './compare/peer.ts'
import { prepareDltPeer } from './compare/script-peers.ts'
import { figure, type FigureTable } from './figure-table.ts'
import { median } from './median.ts'
import { watchThreads, type ThreadGroup } from './machine/thread-split.ts'
import { W2 } from './compare/w2-workload.ts'

const MILLION = 1e6
/** Least ratio of coinlake's rate to dlt's best. */
const GOAL = 1.2
const FEW_COINS = 100
const ALL_COINS = 1000
/** Number of different answers. Further coins share them, which keeps the service small. */
const BODIES = 20
const TURNS = 3

export const marginal: Benchmark = {
  name: 'marginal',
  measures:
    'rows a second and CPU a million points from 100 to 1,000 coins, beside dlt at its best',
  args: '',
  takes: '3 min',
  run: measureMarginal,
}

async function measureMarginal({ folder, print }: BenchContext): Promise<BenchFigures> {
  const dlt = prepareDltPeer('arrow')
  if (typeof dlt === 'string') print(`without dlt: ${dlt}`)
  const service = await startBenchService({ charts: BODIES, marketPages: 0 })
  const workOf = (size: number, name: string): PeerWork => ({
    service,
    workload: W2,
    size,
    dir: join(folder, name),
  })
  const sizes = { few: FEW_COINS, all: ALL_COINS }
  const ours: Pair<SplitRun>[] = []
  const theirs: Pair<PeerRun>[] = []
  try {
    // The first runs fill caches. A user's second run finds them too.
    await runSplit(workOf(BODIES, 'coinlake'))
    if (typeof dlt !== 'string') await dlt.run(workOf(BODIES, 'dlt'))
    for (let turn = 1; turn <= TURNS; turn += 1) {
      print(`turn ${turn} of ${TURNS}`)
      ours.push(await pairOf(sizes, (size) => runSplit(workOf(size, 'coinlake'))))
      if (typeof dlt !== 'string') {
        theirs.push(await pairOf(sizes, (size) => dlt.run(workOf(size, 'dlt'))))
      }
    }
  } finally {
    await service.stop()
  }
  return {
    scenario: `From ${FEW_COINS} to ${ALL_COINS} calls of ${POINTS_PER_CALL} hourly points, medians of ${TURNS} turns`,
    tables: [marginalTable(ours, theirs), splitTable(ours), marginalGoal(ours, theirs)],
  }
}

async function runSplit(work: PeerWork): Promise<SplitRun> {
  let end = (): Map<ThreadGroup, number> => new Map()
  const run = await runCoinlake(work, {
    onWorker: (pid) => {
      end = watchThreads(pid)
    },
  })
  return { ...run, threads: end() }
}

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
      figure(medianRate(pairs)),
      figure(median(pairs.map((pair) => cpuPerMillion(pair, ({ whole }) => whole.cpuS)))),
    ],
  })
  return {
    columns: [
      { name: 'rows/s', decimals: 0 },
      { name: 'CPU a million rows', unit: 's', decimals: 2 },
    ],
    rows: [line('coinlake', ours), line('dlt, at its best', dlt)],
  }
}

function medianRate(pairs: readonly Pair<PeerRun>[]): number {
  return median(pairs.map(steadyRowsPerS))
}

/** coinlake's rate as a multiple of dlt's; null without dlt. */
export function marginalGoal(
  ours: readonly Pair<CoinlakeRun>[],
  dlt: readonly Pair<PeerRun>[],
): FigureTable {
  const value = figure(medianRate(ours) / medianRate(dlt))
  return {
    title: 'goals',
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
    columns: [
      { name: 'seconds', decimals: 2 },
      { name: '%', decimals: 0 },
    ],
    rows: [
      row('coinlake', (run) => run.whole.cpuS),
      row('worker', ({ root }) => root.cpuS),
      ...groups.map((group) => row(`  ${group}`, ({ threads }) => threads.get(group) ?? 0)),
      row('Temporal server', ({ descendants }) => descendants.cpuS),
    ],
  }
}
