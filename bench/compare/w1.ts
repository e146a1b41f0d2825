import type { Benchmark, BenchContext, BenchFigures } from '../benchmark.ts'
import { startBenchService } from '../service/bench-service.ts'
import { compareSideBySide } from './comparison.ts'
import { comparisonTable, goalTable } from './comparison-tables.ts'
import { W1 } from './w1-workload.ts'

const TURNS = 3

export const w1: Benchmark = {
  name: 'w1',
  measures: '10,000 rows of 26 columns from 40 pages into DuckDB, beside a script by hand',
  args: '',
  takes: '3 min',
  run: measureW1,
}

async function measureW1(context: BenchContext): Promise<BenchFigures> {
  const service = await startBenchService({ charts: 0, marketPages: W1.all })
  try {
    const turns = await compareSideBySide(W1, service, TURNS, context)
    return {
      scenario: `${W1.title}, medians of ${TURNS} turns`,
      tables: [comparisonTable(W1, turns), goalTable(W1, turns)],
    }
  } finally {
    await service.stop()
  }
}
