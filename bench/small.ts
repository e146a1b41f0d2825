import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection, ScheduleOverlapPolicy } from '@temporalio/client'
import { HOUR_MS, MINUTE_MS } from '../config/values/duration.ts'
import { warehouseId } from '../config/warehouse-paths.ts'
import { findServerBinary } from '../engine/server/find-server-binary.ts'
import { runningServer } from '../engine/server/lease-server.ts'
import { askDuckdb } from '../test/parts/duckdb.ts'
import { stopServer } from '../test/parts/stop-server.ts'
import { scheduleId } from '../workflows/sync-messages.ts'
import { positiveNumbers } from './benchmark.ts'
import type { Benchmark, BenchContext, BenchFigures } from './benchmark.ts'
import { BUDGET_SERVICE } from './budget/budget-run.ts'
import type { Row } from './figure-table.ts'
import { measureTree, type Measured } from './machine/measure.ts'
import { BIN, ownEngineEnv } from './own-engine.ts'

/** In the future: windows before the schedule was applied do not count. */
const DAY_MS = Date.UTC(2032, 0, 1)
const WINDOWS = 24
const BACKFILL_MS = 90 * WINDOWS * HOUR_MS
const LOOK_EVERY_MS = 100
const MIB = 1024 * 1024
/** Memory cgroups of version 1. */
const GROUPS = '/sys/fs/cgroup/memory'
const COLUMNS = ['rows', 'time, s', 'peak, MiB'].map((name) => ({ name, decimals: 0 }))
const UNLIMITED = { quota: { calls: 1e6, perMs: 1_000, kind: 'fixed' }, resetUnit: null }

export const small: Benchmark = {
  name: 'small',
  measures:
    'memory on one core, only the warehouse writable: two backfills, a day of hourly windows',
  args: '[coins of a backfill [of a larger one [of the windows]]]',
  takes: '5 min',
  run: measureSmall,
}

async function measureSmall({ folder, args }: BenchContext): Promise<BenchFigures> {
  const [few = 200, many = 800, daily = 500] = positiveNumbers(args, 3)
  const limitMib = process.env['COINLAKE_BENCH_MEMORY_MIB']
  const group = limitMib === undefined ? null : join(GROUPS, basename(folder))
  if (group !== null) {
    mkdirSync(group)
    writeFileSync(join(group, 'memory.limit_in_bytes'), `${limitMib}M`)
  }
  const service = fork(BUDGET_SERVICE, [JSON.stringify(UNLIMITED)])
  try {
    const [port] = (await once(service, 'message')) as [number]
    const row = async (what: string, coins: number, fromMs: number, work: Work): Promise<Row> => {
      const small = await openSmall(join(folder, what), configOf(port, coins, fromMs), group)
      const { startedAtMs, endedAtMs, whole } = await work(small)
      await stopServer(small.engineDir)
      const seconds = (endedAtMs - startedAtMs) / 1_000
      const cells = [await rowsIn(small), seconds, whole.peakRssBytes / MIB]
      return { name: `${what}, ${coins} coins`, cells }
    }
    const backfill: Work = ({ run }) => run(['backfill'])
    const rows = [
      await row('backfill of 90 days', few, DAY_MS - BACKFILL_MS, backfill),
      await row('a larger one', many, DAY_MS - BACKFILL_MS, backfill),
      await row('a day of windows', daily, DAY_MS, runWindows),
    ]
    const ended = group === null ? 0 : endedAtLimit(group)
    return {
      scenario:
        limitMib === undefined ? 'One core' : `One core, a memory cgroup of ${limitMib} MiB`,
      tables: [{ rowsAre: 'hourly points', columns: COLUMNS, rows }],
      ...(ended > 0 && { failure: `the kernel ended ${ended} processes at the limit` }),
    }
  } finally {
    service.disconnect()
    if (group !== null) rmdirSync(group)
  }
}

function configOf(port: number, coins: number, fromMs: number): string {
  const ids = Array.from({ length: coins }, (_, number) => `coin-${number}`)
  const from = new Date(fromMs).toISOString()
  return `source: { base_url: "http://127.0.0.1:${port}" }
schedules: { hourly: { every: 1h, offset: 5m } }
datasets:
  market_chart: { granularity: hourly, from: "${from}", coins: [${ids.join(', ')}] }
`
}

function endedAtLimit(group: string): number {
  const text = readFileSync(join(group, 'memory.oom_control'), 'utf8')
  return Number(/oom_kill (\d+)/.exec(text)?.[1])
}

type Small = Awaited<ReturnType<typeof openSmall>>
type Work = (small: Small) => Promise<Measured>

/** Makes a warehouse. Its commands run on one core. For root all but its folder is read-only to them. */
async function openSmall(dir: string, config: string, group: string | null) {
  mkdirSync(dir)
  writeFileSync(join(dir, 'coinlake.yaml'), config)
  const isRoot = process.getuid?.() === 0
  const script = [
    ...(group === null ? [] : [`echo $$ > ${group}/cgroup.procs`]),
    ...(isRoot ? ['mount --bind "$PWD" "$PWD"', 'mount -o remount,bind,ro /', 'cd "$PWD"'] : []),
    'exec taskset -c 0 "$@"',
  ].join(' && ')
  const engineDir = join(dir, 'engine')
  const env = {
    ...ownEngineEnv(engineDir),
    // No command can download it into a read-only root.
    COINLAKE_TEMPORAL_BINARY: (await findServerBinary({ env: process.env })).path,
    COINLAKE_NOW: new Date(DAY_MS + (WINDOWS + 0.5) * HOUR_MS).toISOString(),
  }
  const run = async (words: string[], onStart?: (pid: number) => void): Promise<Measured> => {
    const line = ['sh', '-c', script, 'sh', process.execPath, BIN, ...words]
    const [command = '', ...args] = isRoot ? ['unshare', '-m', ...line] : line
    const measured = await measureTree(command, args, { cwd: dir, env, onStart })
    const { exitCode, stderr } = measured
    if (exitCode !== 0) throw new Error(`${words.join(' ')} ended with ${exitCode}: ${stderr}`)
    return measured
  }
  return { engineDir, warehouse: join(dir, 'warehouse'), run }
}

async function rowsIn({ warehouse }: Small): Promise<number> {
  const sql = 'SELECT count(*) FROM market_chart'
  const counted = await askDuckdb(join(warehouse, 'coinlake.duckdb'), sql, 'READ_ONLY')
  return Number(counted.getRowsJS()[0]?.[0])
}

/** Measures a worker that runs the windows of a day, one after the other. */
async function runWindows(small: Small): Promise<Measured> {
  let pid = 0
  const working = small.run(['worker'], (started) => (pid = started))
  await Promise.race([untilDone(small), working]).finally(() => process.kill(pid, 'SIGTERM'))
  return await working
}

async function untilDone({ engineDir, warehouse, run }: Small): Promise<void> {
  // The worker starts the server, which so is measured with it.
  while (runningServer(engineDir) === null) await sleep(LOOK_EVERY_MS)
  await run(['schedule', 'apply'])
  const { address, namespace } = runningServer(engineDir)!
  const connection = await Connection.connect({ address })
  const { schedule } = new Client({ connection, namespace })
  const hourly = schedule.getHandle(scheduleId(warehouseId(warehouse), 'hourly'))
  for (let window = 1; window <= WINDOWS; window += 1) {
    const at = new Date(DAY_MS + window * HOUR_MS + 5 * MINUTE_MS)
    await hourly.backfill({ start: at, end: at, overlap: ScheduleOverlapPolicy.BUFFER_ALL })
    for (let ended = 0; ended < window; await sleep(LOOK_EVERY_MS)) {
      const { info } = await hourly.describe()
      ended = info.runningActions.length === 0 ? info.numActionsTaken : 0
    }
  }
  await connection.close()
}
