import { HOUR_MS } from '../config/values/duration.ts'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RunReport } from '../activities/run-report.ts'
import { systemClock } from '../config/clock.ts'
import { loadConfig } from '../config/load-config.ts'
import { pathsOf } from '../config/warehouse-paths.ts'
import { datasets } from '../datasets/index.ts'
import { openStore } from '../sinks/duckdb-store/open-store.ts'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import type { Cell } from './figure-table.ts'
import { coinName, coinSql, sliceSql } from './filled-store.ts'
import { measureTree, type Measured } from './machine/measure.ts'
import { BIN, ownEngineEnv, withOwnEngine, writeBenchConfig } from './own-engine.ts'
import { median } from './median.ts'

/** Coins whose hourly prices a schedule fetched: 1,000, 100,000 and a million slices. */
const COINS = [1, 100, 1_000]
/** The size of the ledger that has goals. */
const GOAL_COINS = 100
/** Windows of the schedule, from FROM on. Each was a run with a slice of one hour for each coin. */
const HOURS = 1_000
const FROM = '2024-01-01'
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
  measures:
    'backfill, plan, status and gaps after 1,000 hourly windows, of 1,000 to a million slices',
  args: '',
  takes: '4 min',
  run: measureSlices,
}

async function measureSlices({ folder, print }: BenchContext): Promise<BenchFigures> {
  const rows = COMMANDS.map(({ args }) => ({ name: args.join(' '), cells: [] as Cell[] }))
  const counts: number[] = []
  await withOwnEngine(folder, async (engineDir) => {
    const env = ownEngineEnv(engineDir)
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
  })
  const columns = counts.flatMap((count) => [
    { name: `${count} slices`, unit: 's', decimals: 2 },
    { name: 'peak', unit: 'MiB', decimals: 0 },
  ])
  return {
    scenario: `A complete warehouse of ${counts.join(', ')} slices; medians of ${TURNS}, server up`,
    tables: [{ rowsAre: 'coinlake', columns, rows }],
  }
}

/**
 * Makes a warehouse whose ledger has every slice of its configuration, as hourly windows leave it. Slices are empty at
 * the source, so no rows are needed, and no service is asked. Returns the number of slices.
 */
async function fillLedger(home: string, coins: number, env: NodeJS.ProcessEnv): Promise<number> {
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  const ids = Array.from({ length: coins }, (_, place) => coinName(place)).join(', ')
  const to = new Date(Date.parse(FROM) + HOURS * HOUR_MS).toISOString()
  const lines = `market_chart: { granularity: hourly, from: ${FROM}, to: "${to}", coins: [${ids}] }`
  const path = writeBenchConfig(home, { baseUrl: 'http://127.0.0.1:9', datasets: lines })
  const config = loadConfig({ file: path, env, datasets, cwd: home })
  const paths = pathsOf(config)
  mkdirSync(paths.stateDir, { recursive: true })
  const store = await openStore({
    file: paths.storeFile,
    datasets,
    coinlakeVersion: '0.0.0',
    clock: systemClock,
  })
  const connection = await store.connect()
  const hourAt = (hour: string): string =>
    `TIMESTAMPTZ '${FROM}T00:00:00Z' + to_hours((${hour})::INTEGER)`
  try {
    await connection.run(
      `INSERT INTO _runs BY NAME SELECT 'run-' || hour AS run_id, 'order' AS order_id, 'complete' AS verdict,
         ${hourAt('hour + 1')} AS started_at, started_at AS finished_at, '0.0.0' AS coinlake_version
       FROM range(${HOURS}) h(hour);
       INSERT INTO _slices BY NAME SELECT 'run-' || hour AS run_id, k AS ordinal,
         ${sliceSql('hour')} AS slice_id, 0 AS generation, 'market_chart' AS dataset,
         ${coinSql('k')} AS entity, 'usd' AS vs_currency, '1h' AS granularity, 'empty' AS state,
         ${hourAt('hour')} AS from_at, ${hourAt('hour + 1')} AS to_at, to_at AS settled_to,
         1 AS pages, 1 AS calls, 0 AS row_count, to_at AS fetched_at, hour + 1 AS load_id,
         to_at AS planned_at, to_at AS updated_at
       FROM range(${HOURS}) h(hour), range(${coins}) c(k)`,
    )
    return HOURS * coins
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
    const measured = await measureTree(process.execPath, [BIN, ...args], { cwd: home, env })
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
