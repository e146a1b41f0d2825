import { join } from 'node:path'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import { startBenchService } from './service/bench-service.ts'
import { POINTS_PER_CALL } from './service/chart-bodies.ts'
import { runCoinlake } from './coinlake-run.ts'
import type { Pair } from './compare/comparison-tables.ts'
import { prepareDltPeer } from './compare/script-peers.ts'
import { marginalGoal, marginalTable, splitTable } from './marginal-tables.ts'
import type { SplitRun } from './marginal-tables.ts'
import type { PeerWork } from './compare/peer.ts'
import type { PeerRun } from './compare/peer-run.ts'
import type { ThreadGroup } from './machine/thread-split.ts'
import { watchThreads } from './machine/thread-split.ts'
import { W2 } from './compare/w2-workload.ts'

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
  const dlt = prepareDltPeer('arrow', process.env)
  if (typeof dlt === 'string') print(`without dlt: ${dlt}`)
  const service = await startBenchService({ charts: BODIES, marketPages: 0 })
  const workOf = (size: number, name: string): PeerWork => ({
    service,
    workload: W2,
    size,
    dir: join(folder, name),
  })
  const pairOf = async <Run extends PeerRun>(
    run: (size: number) => Promise<Run>,
  ): Promise<Pair<Run>> => ({ few: await run(FEW_COINS), all: await run(ALL_COINS) })
  const ours: Pair<SplitRun>[] = []
  const theirs: Pair<PeerRun>[] = []
  try {
    // The first runs fill caches. A user's second run finds them too.
    await runSplit(workOf(BODIES, 'coinlake'))
    if (typeof dlt !== 'string') await dlt.run(workOf(BODIES, 'dlt'))
    for (let turn = 1; turn <= TURNS; turn += 1) {
      print(`turn ${turn} of ${TURNS}`)
      ours.push(await pairOf((size) => runSplit(workOf(size, 'coinlake'))))
      if (typeof dlt !== 'string') {
        theirs.push(await pairOf((size) => dlt.run(workOf(size, 'dlt'))))
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
