import type { BenchService } from './bench-service.ts'
import { startBenchService } from './bench-service.ts'
import { POINTS_PER_CALL } from './chart-bodies.ts'
import { runCoinlake, WORKER } from './coinlake-peer.ts'
import type { CoinlakeRun } from './coinlake-peer.ts'
import { prepareHandPeer } from './hand-peer.ts'
import type { PeerRun } from './peer-run.ts'
import { median, textTable } from './table.ts'

const COINS = 200
const RUNS = 3
/** Coins whose points make one million and four million rows. */
const MEMORY_COINS = [463, 1852]
/** Issue 3: what the worker may need more for four times the rows. */
const MEMORY_GOAL = 1.15
const MIB = 1024 * 1024

/**
 * 200 market_chart/range calls of 2,161 hourly points each into DuckDB, coinlake beside the script one
 * writes by hand, in turns; then the memory of coinlake's worker at one and at four million rows.
 *
 * @param folder for warehouses and databases; emptied by the caller
 */
export async function w2(folder: string, print: (line: string) => void): Promise<void> {
  const hand = prepareHandPeer(process.env)
  if (typeof hand === 'string') print(`without the hand-written script: ${hand}`)
  const service = await startBenchService(COINS)
  try {
    print(`W2: ${COINS} calls of ${POINTS_PER_CALL} hourly points into DuckDB`)
    // The first run fills caches (bundle, page cache, byte code) that a second user run also finds.
    await runCoinlake(service, COINS, folder)
    const ours: CoinlakeRun[] = []
    const theirs: PeerRun[] = []
    for (let turn = 0; turn < RUNS; turn += 1) {
      if (typeof hand !== 'string') theirs.push(await hand.run(service, COINS, folder))
      ours.push(await runCoinlake(service, COINS, folder))
    }
    for (const line of comparison(ours, theirs)) print(line)
    await memory(service, folder, print)
  } finally {
    await service.stop()
  }
}

function comparison(ours: readonly CoinlakeRun[], theirs: readonly PeerRun[]): string[] {
  const of = <T>(runs: readonly T[], value: (run: T) => number): number => median(runs.map(value))
  const row = (name: string, value: (run: PeerRun) => number, digits = 2): string[] => {
    const [a, b] = [of(ours, value), of(theirs, value)]
    const both = [a, b].map((figure) => (Number.isNaN(figure) ? '-' : figure.toFixed(digits)))
    return [name, ...both, Number.isNaN(b) ? '-' : (a / b).toFixed(2)]
  }
  const ofGroup = (name: string, value: (run: PeerRun) => number, digits = 2): string[] => [
    name,
    of(ours, value).toFixed(digits),
    '',
    '',
  ]
  const steadyRows = of(ours, (run) => run.steady.rowsPerS)
  const rows = of(ours, (run) => run.rows)
  const steadyS = rows / steadyRows
  const handWorkS = of(theirs, (run) => run.workS)
  return textTable(
    ['', 'coinlake', 'by hand', 'ratio'],
    [
      row('whole process, s', (run) => run.wallS),
      row('  start-up to the first request, s', (run) => run.startUpS),
      row('  first request to the end, s', (run) => run.workS),
      ofGroup('  publication, s', (run) => (run as CoinlakeRun).publishS),
      [
        `steady: ${rows} rows at the rate between first and last load, s`,
        steadyS.toFixed(2),
        Number.isNaN(handWorkS) ? '-' : handWorkS.toFixed(2),
        Number.isNaN(handWorkS) ? '-' : (steadyS / handWorkS).toFixed(2),
      ],
      ['  rows/s', steadyRows.toFixed(0), Number.isNaN(handWorkS) ? '-' : '', ''],
      row('CPU, s', (run) => run.whole.cpuS),
      ofGroup('  worker', (run) => run.groups.get(WORKER)?.cpuS ?? 0),
      ofGroup('  Temporal server', (run) => run.groups.get('temporal')?.cpuS ?? 0),
      row('peak memory of all processes, MiB', (run) => run.whole.peakRssBytes / MIB, 0),
      ofGroup('  worker', (run) => workerPeak(run), 0),
      ofGroup(
        '  Temporal server',
        (run) => (run.groups.get('temporal')?.peakRssBytes ?? 0) / MIB,
        0,
      ),
    ],
  )
}

async function memory(
  service: BenchService,
  folder: string,
  print: (line: string) => void,
): Promise<void> {
  const runs: CoinlakeRun[] = []
  for (const coins of MEMORY_COINS) runs.push(await runCoinlake(service, coins, folder))
  print('')
  print('Memory of the worker as the work grows')
  const lines = runs.map((run) => [
    `${run.rows} rows`,
    workerPeak(run).toFixed(0),
    run.wallS.toFixed(2),
    run.steady.rowsPerS.toFixed(0),
  ])
  for (const line of textTable(['', 'peak MiB', 'wall s', 'steady rows/s'], lines)) print(line)
  const [small, large] = runs.map(workerPeak)
  const ratio = (large ?? 0) / (small ?? 1)
  print(`ratio ${ratio.toFixed(2)}, goal at most ${MEMORY_GOAL}`)
}

/** The kernel's own high-water mark of the one process that fetches and loads. */
function workerPeak(run: PeerRun): number {
  return (run.groups.get(WORKER)?.highWaterBytes ?? 0) / MIB
}
