import { join } from 'node:path'
import type { Benchmark, BenchContext } from '../benchmark.ts'
import { startBenchService, type BenchService } from '../service/bench-service.ts'
import { runCoinlake } from '../coinlake-run.ts'
import { comparisonTable, goalTable, growthTable } from './comparison-tables.ts'
import type { Grown, Turn } from './comparison-tables.ts'
import { prepareHandPeer } from './script-peers.ts'
import { pairOf } from './peer.ts'
import { W1 } from './w1-workload.ts'
import { W2 } from './w2-workload.ts'
import type { Workload } from './workload.ts'

const TURNS = 3

export const w1: Benchmark = besideScript(W1, [], {
  measures: '10,000 rows of 26 columns from 40 pages into DuckDB, beside a script by hand',
  takes: '3 min',
})

/** The comparison; then time and memory as the work grows: one call, W2, ten times W2. */
export const w2: Benchmark = besideScript(W2, [1, W2.all, W2.all * 10], {
  measures: '432,200 hourly points from 200 calls into DuckDB, beside a script by hand',
  takes: '6 min',
})

/** @param sizes of the work as it grows; empty = it does not */
function besideScript(
  workload: Workload,
  sizes: readonly number[],
  facts: Pick<Benchmark, 'measures' | 'takes'>,
): Benchmark {
  return {
    name: workload.name,
    args: '',
    ...facts,
    async run(context) {
      const service = await startBenchService({ charts: W2.all, marketPages: W1.all })
      try {
        const turns = await compareInTurns(workload, service, context)
        const growth = await measureGrowth(workload, sizes, service, context)
        return {
          scenario: `${workload.title}, medians of ${TURNS} turns`,
          tables: [
            comparisonTable(workload, turns),
            ...(growth.length > 0 ? [growthTable(growth)] : []),
            goalTable(workload, turns, growth),
          ],
        }
      } finally {
        await service.stop()
      }
    },
  }
}

/**
 * Measures a workload in turns: the hand-written script; then coinlake with a Temporal server started for it, with a
 * running server, with a resident worker. Each runs once with few calls and once with all. Each run keeps a folder of its
 * own: removing files would slow the next run.
 */
async function compareInTurns(
  workload: Workload,
  service: BenchService,
  { folder, print }: BenchContext,
): Promise<Turn[]> {
  const hand = prepareHandPeer()
  if (typeof hand === 'string') print(`without the hand-written script: ${hand}`)
  let runs = 0
  const workOf = (size: number) => {
    return { service, workload, size, dir: join(folder, `run-${(runs += 1)}`) }
  }
  const coinlake = (startedBefore?: 'server' | 'worker') =>
    pairOf(workload, (size) => runCoinlake(workOf(size), { startedBefore }))
  // The first run fills caches: bundle, page cache, byte code. A user's second run finds them too.
  await runCoinlake(workOf(workload.few))
  if (typeof hand !== 'string') await hand.run(workOf(workload.few))
  const turns: Turn[] = []
  for (let turn = 1; turn <= TURNS; turn += 1) {
    print(`turn ${turn} of ${TURNS}`)
    turns.push({
      byHand:
        typeof hand === 'string' ? null : await pairOf(workload, (size) => hand.run(workOf(size))),
      serverStarted: await coinlake(),
      serverUp: await coinlake('server'),
      workerUp: workload.goals.workerUp === null ? null : await coinlake('worker'),
    })
  }
  return turns
}

async function measureGrowth(
  workload: Workload,
  sizes: readonly number[],
  service: BenchService,
  { folder, print }: BenchContext,
): Promise<Grown[]> {
  const hand = prepareHandPeer()
  const growth: Grown[] = []
  for (const size of sizes) {
    print(`size ${size}`)
    const work = { service, workload, size }
    const dir = join(folder, `grown-${size}`)
    const ours = await runCoinlake({ ...work, dir }, { startedBefore: 'server' })
    const byHand = typeof hand === 'string' ? null : await hand.run({ ...work, dir: `${dir}-hand` })
    growth.push({ ours, byHandS: byHand?.wallS ?? null })
  }
  return growth
}
