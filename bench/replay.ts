import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { warehousePaths } from '../config/warehouse-paths.ts'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import { startBenchService } from './service/bench-service.ts'
import { runCoinlake, WORKER } from './coinlake-run.ts'
import { measureTree } from './machine/measure.ts'
import { median } from './table.ts'
import { W2 } from './compare/w2-workload.ts'

/** A million points: 463 answers of 2,160. */
const COINS = 463
const TURNS = 3
/** How much faster than fetching it is to be. */
const GOAL = 2
const MIB = 1024 * 1024

/** A million points from the kept answers, beside fetching them. */
export const replay: Benchmark = {
  name: 'replay',
  measures: 'a million points made again from the kept answers, beside fetching them',
  args: '',
  takes: '2 min',
  run: measureReplay,
}

/**
 * A million points made again from the kept answers (`coinlake restore`, 0 calls), beside the backfill
 * that fetched them from a service on this machine without any limit, its publication not counted.
 */
async function measureReplay({ folder, print }: BenchContext): Promise<BenchFigures> {
  const service = await startBenchService({ charts: COINS, marketPages: 0 })
  const fetched: number[] = []
  const replayed: number[] = []
  let peakBytes = 0
  try {
    for (let turn = 0; turn < TURNS; turn += 1) {
      const home = join(folder, 'coinlake')
      const work = { service, workload: W2, size: COINS, dir: home }
      const run = await runCoinlake(work, { isUp: 'server' })
      fetched.push(run.wallS - run.publishS)
      const { storeFile, duckdbLink } = warehousePaths(join(home, 'warehouse'))
      rmSync(storeFile)
      // From the answers alone.
      rmSync(duckdbLink)
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
      print(`turn ${turn + 1} of ${TURNS}`)
    }
  } finally {
    await service.stop()
  }
  const [fetchS, replayS] = [median(fetched), median(replayed)]
  const seconds = { unit: 's', decimals: 2 }
  const times = { value: fetchS / replayS, atLeast: GOAL }
  const rows = [
    { name: 'fetched', ...seconds, cells: [fetchS] },
    { name: 'replayed', ...seconds, cells: [replayS] },
    { name: 'times as fast', decimals: 2, cells: [times] },
    { name: 'peak of the replay', unit: 'MiB', decimals: 0, cells: [peakBytes / MIB] },
  ]
  return {
    scenario: `A million points, medians of ${TURNS}`,
    tables: [{ title: '', rowsAre: '', columns: [{ name: '' }], rows }],
  }
}
