import { join } from 'node:path'
import type { Benchmark, BenchContext, BenchFigures } from '../benchmark.ts'
import { startBenchService } from '../service/bench-service.ts'
import { runCoinlake } from '../coinlake-run.ts'
import { compareSideBySide } from './comparison.ts'
import { comparisonTable, goalTable, growthTable } from './comparison-tables.ts'
import type { Grown } from './comparison-tables.ts'
import { prepareHandPeer } from './script-peers.ts'
import { W2 } from './w2-workload.ts'

const TURNS = 3
/** Numbers of coins: one call, W2, ten times W2. */
const SIZES = [1, W2.all, W2.all * 10]

export const w2: Benchmark = {
  name: 'w2',
  measures: '432,200 hourly points from 200 calls into DuckDB, beside a script by hand',
  args: '',
  takes: '6 min',
  run: measureW2,
}

/** The comparison; then time and memory as the work grows. */
async function measureW2(context: BenchContext): Promise<BenchFigures> {
  const service = await startBenchService({ charts: W2.all, marketPages: 0 })
  try {
    const turns = await compareSideBySide(W2, service, TURNS, context)
    const hand = prepareHandPeer(process.env)
    const growth: Grown[] = []
    for (const size of SIZES) {
      context.print(`${size} coins`)
      const work = { service, workload: W2, size }
      const dir = join(context.folder, `grown-${size}`)
      const ours = await runCoinlake({ ...work, dir }, { startedBefore: 'server' })
      const byHand =
        typeof hand === 'string' ? null : await hand.run({ ...work, dir: `${dir}-hand` })
      growth.push({ ours, byHandS: byHand?.wallS ?? null })
    }
    return {
      scenario: `${W2.title}, medians of ${TURNS} turns`,
      tables: [comparisonTable(W2, turns), growthTable(growth), goalTable(W2, turns, growth)],
    }
  } finally {
    await service.stop()
  }
}
