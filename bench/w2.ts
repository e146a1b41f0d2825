import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import type { BenchService } from './bench-service.ts'
import { startBenchService } from './bench-service.ts'
import { POINTS_PER_CALL } from './chart-bodies.ts'
import { runBound } from './bound-peer.ts'
import { runCoinlake } from './coinlake-peer.ts'
import type { CoinlakeRun } from './coinlake-peer.ts'
import { prepareHandPeer } from './hand-peer.ts'
import type { HandPeer } from './hand-peer.ts'
import { comparisonTable, goalTable, memoryTable } from './w2-tables.ts'
import type { Turn } from './w2-tables.ts'

const COINS = 200
/** Coins of the small run: what a run takes whatever its size, and nearly nothing else. */
const FEW_COINS = 20
const TURNS = 3
/** Coins whose points make one million and four million rows. */
const MEMORY_COINS = [463, 1852]

/** 200 calls into DuckDB, beside what one writes by hand. */
export const w2: Benchmark = {
  name: 'w2',
  measures:
    '432,200 hourly points from 200 calls into DuckDB, beside a script by hand and the bound',
  args: '',
  takes: '4 min',
  run: measureW2,
}

/**
 * 200 market_chart/range calls of 2,161 hourly points each into DuckDB, coinlake beside the script one
 * writes by hand and beside what the machine can do, in turns; then the memory of coinlake's worker at one and at four million rows.
 */
async function measureW2({ folder, print }: BenchContext): Promise<BenchFigures> {
  const hand = prepareHandPeer(process.env)
  if (typeof hand === 'string') print(`without the hand-written script: ${hand}`)
  const service = await startBenchService(COINS)
  try {
    const turns = await compare(service, typeof hand === 'string' ? null : hand, folder, print)
    const memoryRuns: CoinlakeRun[] = []
    for (const coins of MEMORY_COINS) {
      print(`${coins} coins for the memory of the worker`)
      memoryRuns.push(await runCoinlake(service, coins, folder))
    }
    return {
      scenario: `${COINS} calls of ${POINTS_PER_CALL} hourly points into DuckDB, medians of ${TURNS} turns`,
      tables: [comparisonTable(turns), memoryTable(memoryRuns), goalTable(turns, memoryRuns)],
    }
  } finally {
    await service.stop()
  }
}

async function compare(
  service: BenchService,
  hand: HandPeer | null,
  folder: string,
  print: (line: string) => void,
): Promise<Turn[]> {
  // The first run fills caches (bundle, page cache, byte code) that a second run of a user also finds.
  await runCoinlake(service, FEW_COINS, folder)
  await hand?.run(service, FEW_COINS, folder)
  const turns: Turn[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    print(`turn ${turn + 1} of ${TURNS}`)
    turns.push({
      hand:
        hand === null
          ? null
          : {
              few: await hand.run(service, FEW_COINS, folder),
              all: await hand.run(service, COINS, folder),
            },
      ours: {
        few: await runCoinlake(service, FEW_COINS, folder),
        all: await runCoinlake(service, COINS, folder),
      },
      up: {
        few: await runCoinlake(service, FEW_COINS, folder, true),
        all: await runCoinlake(service, COINS, folder, true),
      },
      bound: {
        few: await runBound(service, FEW_COINS, folder),
        all: await runBound(service, COINS, folder),
      },
    })
  }
  return turns
}
