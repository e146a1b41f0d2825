import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RunReport } from '../activities/run-report.ts'
import { planFor } from '../activities/plan/plan-run.ts'
import { systemClock } from '../config/clock.ts'
import { loadConfig } from '../config/load-config.ts'
import { wantedFromConfig } from '../config/wanted.ts'
import { pathsOf } from '../config/warehouse-paths.ts'
import { datasets } from '../datasets/index.ts'
import { leaseServer, stopServer } from '../engine/server/lease-server.ts'
import { openStore } from '../sinks/duckdb-store/open-store.ts'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import type { Cell } from './figure-table.ts'
import { coinName } from './filled-store.ts'
import { measureTree } from './machine/measure.ts'
import type { Measured } from './machine/measure.ts'
import { BIN, ownEngineEnv, writeBenchConfig } from './own-engine.ts'
import { median } from './median.ts'

/** Coins with hourly prices of six years, 25 slices each: 1,000, 100,000 and a million slices. */
const COINS = [40, 4_000, 40_000]
/** The size of the ledger that has goals. */
const GOAL_COINS = 4_000
const [FROM, TO] = ['2018-01-01', '2024-02-29']
const TURNS = 3
const MIB = 1024 * 1024
/** Commands, and most seconds of each at 100,000 slices. */
const COMMANDS: readonly { args: readonly string[]; atMostS: number }[] = [
  { args: ['backfill', '--json'], atMostS: 5 },
  { args: ['plan', '--json'], atMostS: 1 },
  { args: ['status', '--json'], atMostS: 1 },
  { args: ['gaps', '--json'], atMostS: 1 },
]

export const slices: Benchmark = {
  name: 'slices',
  measures: 'backfill, plan, status and gaps on a complete warehouse, of 1,000 to a million slices',
  args: '',
  takes: '4 min',
  run: measureSlices,
}

/**
 * Measures the commands on a complete warehouse, as its ledger grows from 1,000 to a million slices. The store's own plan
 * fills the ledger. Slices are marked as empty at the source, so no rows are needed, and no service is asked.
 */
async function measureSlices({ folder, print }: BenchContext): Promise<BenchFigures> {
  const engineDir = join(folder, 'engine')
  mkdirSync(engineDir, { recursive: true })
  const env = ownEngineEnv(engineDir)
  const lease = await leaseServer({ stateDir: engineDir, env })
  const rows = COMMANDS.map(({ args }) => ({ name: args.join(' '), cells: [] as Cell[] }))
  const counts: number[] = []
  try {
    for (const coins of COINS) {
      const home = join(folder, `coins-${coins}`)
      counts.push(await fillLedger(home, coins, env))
      print(`a ledger of ${counts.at(-1)} slices`)
      for (const [number, { args, atMostS }] of COMMANDS.entries()) {
        const turns = await inTurns(home, args, env)
        const value = median(turns.map(wallS))
        const peakMib = median(turns.map(({ whole }) => whole.highWaterBytes / MIB))
        rows[number]?.cells.push(coins === GOAL_COINS ? { value, atMost: atMostS } : value, peakMib)
      }
    }
  } finally {
    lease.release()
    await stopServer(engineDir)
  }
  const columns = counts.flatMap((count) => [
    { name: `${count} slices`, unit: 's', decimals: 2 },
    { name: 'peak', unit: 'MiB', decimals: 0 },
  ])
  return {
    scenario: `A complete warehouse of ${counts.join(', ')} slices; medians of ${TURNS}, server up`,
    tables: [{ title: '', rowsAre: 'coinlake', columns, rows }],
  }
}

/** Makes a warehouse whose ledger has every slice of its configuration. Returns their number. */
async function fillLedger(home: string, coins: number, env: NodeJS.ProcessEnv): Promise<number> {
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const ids = Array.from({ length: coins }, (_, place) => coinName(place)).join(', ')
  const lines = `market_chart: { granularity: hourly, from: ${FROM}, to: ${TO}, coins: [${ids}] }`
  const path = writeBenchConfig(home, { baseUrl: 'http://127.0.0.1:9', datasets: lines })
  const config = loadConfig({ file: path, env, datasets, cwd: home })
  const paths = pathsOf(config)
  mkdirSync(paths.stateDir, { recursive: true })
  const clock = systemClock
  const store = await openStore({
    file: paths.storeFile,
    datasets,
    coinlakeVersion: '0.0.0',
    clock,
  })
  const connection = await store.connect()
  try {
    const order = { wanted: wantedFromConfig(config, datasets, clock) }
    const plan = await planFor(order, { clock, config, store })
    const run = { runId: 'filled', orderId: 'order', startedAtMs: 0, coinlakeVersion: '0.0.0' }
    await store.writePlan(run, plan.slices)
    await connection.run(
      `UPDATE _slices SET state = 'empty', settled_to = to_at, fetched_at = now(), pages = 1, calls = 1`,
    )
    await connection.run(`UPDATE _runs SET verdict = 'complete', finished_at = now()`)
    return plan.slices.length
  } finally {
    connection.closeSync()
    await store.close()
  }
}

/** Runs a command once for the caches, then for the figures. A run must find nothing to do. */
async function inTurns(
  home: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Measured[]> {
  const turns: Measured[] = []
  for (let turn = 0; turn <= TURNS; turn += 1) {
    const measured = await measureTree(process.execPath, [BIN, ...args], {
      cwd: home,
      env,
      groupOf: () => 'all',
    })
    if (measured.exitCode !== 0) {
      throw new Error(
        `coinlake ${args.join(' ')} ended with ${measured.exitCode}: ${measured.stderr}`,
      )
    }
    if (args[0] === 'backfill') {
      const { calls } = JSON.parse(measured.stdout) as RunReport
      if (calls !== 0) throw new Error(`${calls} calls where nothing was missing`)
    }
    if (turn > 0) turns.push(measured)
  }
  return turns
}

function wallS({ startedAtMs, endedAtMs }: Measured): number {
  return (endedAtMs - startedAtMs) / 1000
}
