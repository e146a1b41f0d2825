import type { BenchService } from './bench-service.ts'
import { startBenchService } from './bench-service.ts'
import { POINTS_PER_CALL } from './chart-bodies.ts'
import { runBound } from './bound-peer.ts'
import { runCoinlake } from './coinlake-peer.ts'
import { prepareHandPeer } from './hand-peer.ts'
import type { HandPeer } from './hand-peer.ts'
import { median } from './table.ts'
import { comparisonTable, goalTable, memoryTable } from './w2-tables.ts'
import type { Turn } from './w2-tables.ts'

const COINS = 200
/** Coins of the small run: what a run takes whatever its size, and nearly nothing else. */
const FEW_COINS = 20
const TURNS = 3
/** Coins whose points make one million and four million rows. */
const MEMORY_COINS = [463, 1852]
/** Issue 3: what the worker may need more for four times the rows. */
const MEMORY_GOAL = 1.15

/**
 * 200 market_chart/range calls of 2,161 hourly points each into DuckDB, coinlake beside the script one
 * writes by hand and beside what the machine can do, in turns; then the memory of coinlake's worker at one and at four million rows.
 *
 * @param folder for warehouses and databases; emptied by the caller
 */
export async function w2(folder: string, print: (line: string) => void): Promise<void> {
  const hand = prepareHandPeer(process.env)
  if (typeof hand === 'string') print(`without the hand-written script: ${hand}`)
  const service = await startBenchService(COINS)
  try {
    print(`W2: ${COINS} calls of ${POINTS_PER_CALL} hourly points into DuckDB, ${TURNS} turns`)
    await compare(service, typeof hand === 'string' ? null : hand, folder, print)
    await memory(service, folder, print)
  } finally {
    await service.stop()
  }
}

async function compare(
  service: BenchService,
  hand: HandPeer | null,
  folder: string,
  print: (line: string) => void,
): Promise<void> {
  // The first run fills caches (bundle, page cache, byte code) that a second run of a user also finds.
  await runCoinlake(service, FEW_COINS, folder)
  await hand?.run(service, FEW_COINS, folder)
  const turns: Turn[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
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
  for (const line of [...comparisonTable(turns), '', ...goalTable(turns)]) print(line)
  const shares = turns.flatMap(({ ours, hand: theirs }) =>
    [ours.all, theirs?.all ?? []].flat().map(({ othersShare }) => othersShare),
  )
  print(`other processes had ${(median(shares) * 100).toFixed(0)} % of the machine meanwhile`)
}

async function memory(
  service: BenchService,
  folder: string,
  print: (line: string) => void,
): Promise<void> {
  const runs = []
  for (const coins of MEMORY_COINS) runs.push(await runCoinlake(service, coins, folder))
  print('')
  print('Memory of the worker as the work grows')
  for (const line of memoryTable(runs, MEMORY_GOAL)) print(line)
}
