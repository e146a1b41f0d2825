import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { warehousePaths } from '../config/warehouse-paths.ts'
import { startBenchService } from './bench-service.ts'
import { runCoinlake, WORKER } from './coinlake-peer.ts'
import { measureTree } from './measure.ts'
import { median, textTable } from './table.ts'

/** A million points: 463 answers of 2,160. */
const COINS = 463
const TURNS = 3
/** How much faster than fetching it is to be. */
const GOAL = 2
const MIB = 1024 * 1024

/**
 * A million points made again from the kept answers (`coinlake restore`, 0 calls), beside the backfill
 * that fetched them from a service on this machine without any limit, its publication not counted.
 */
export async function replay(folder: string, print: (line: string) => void): Promise<void> {
  const service = await startBenchService(COINS)
  const fetched: number[] = []
  const replayed: number[] = []
  let peakBytes = 0
  try {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const run = await runCoinlake(service, COINS, folder, true)
      fetched.push(run.wallS - run.publishS)
      const home = join(folder, 'coinlake')
      const { storeFile } = warehousePaths(join(home, 'warehouse'))
      rmSync(storeFile)
      const bin = fileURLToPath(new URL('../bin/coinlake.js', import.meta.url))
      const restored = await measureTree(process.execPath, [bin, 'restore', '--json'], {
        cwd: home,
        env: { ...process.env, COINLAKE_API_KEY: 'bench' },
        groupOf: () => WORKER,
      })
      const { rows } = JSON.parse(restored.stdout) as { rows: number }
      if (restored.exitCode !== 0 || rows !== run.rows) {
        throw new Error(
          `${rows} of ${run.rows} rows, exit ${restored.exitCode}: ${restored.stderr}`,
        )
      }
      replayed.push((restored.endedAtMs - restored.startedAtMs) / 1000)
      peakBytes = Math.max(peakBytes, restored.whole.highWaterBytes)
    }
  } finally {
    await service.stop()
  }
  const [fetchS, replayS] = [median(fetched), median(replayed)]
  print(`A million points, medians of ${TURNS}`)
  const rows = [
    ['fetched, s', fetchS.toFixed(2)],
    ['replayed, s', replayS.toFixed(2)],
    ['times as fast', (fetchS / replayS).toFixed(2)],
    ['at least', GOAL.toFixed(2)],
    ['peak of the replay, MiB', (peakBytes / MIB).toFixed(0)],
  ]
  for (const line of textTable(['', ''], rows)) print(line)
}
