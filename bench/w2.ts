import { join } from 'node:path'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import { startBenchService } from './bench-service.ts'
import { runCoinlake } from './coinlake-run.ts'
import type { CoinlakeRun } from './coinlake-run.ts'
import { compareSideBySide } from './comparison.ts'
import { comparisonTable, goalTable, memoryTable } from './comparison-tables.ts'
import { W2 } from './w2-workload.ts'

const TURNS = 3
/** The memory of the worker is also looked at for ten times the work. */
const MORE_WORK = 10

/** 200 calls into DuckDB, beside what one writes by hand. */
export const w2: Benchmark = {
  name: 'w2',
  measures: '432,200 hourly points from 200 calls into DuckDB, beside a script by hand',
  args: '',
  takes: '4 min',
  run: measureW2,
}

/** The comparison; then the memory of coinlake's worker for the same work and for ten times as much. */
async function measureW2(context: BenchContext): Promise<BenchFigures> {
  const service = await startBenchService({ charts: W2.all, marketPages: 0 })
  try {
    const turns = await compareSideBySide(W2, service, TURNS, context)
    const memoryRuns: CoinlakeRun[] = []
    for (const size of [W2.all, W2.all * MORE_WORK]) {
      context.print(`${size} coins for the memory of the worker`)
      const dir = join(context.folder, `coinlake-${size}`)
      memoryRuns.push(await runCoinlake({ service, workload: W2, size, dir }))
    }
    return {
      scenario: `${W2.title}, medians of ${TURNS} turns`,
      tables: [
        comparisonTable(W2, turns),
        memoryTable(memoryRuns),
        goalTable(W2, turns, memoryRuns),
      ],
    }
  } finally {
    await service.stop()
  }
}
