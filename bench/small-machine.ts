// `npx node bench/small-machine.ts [coins of a backfill] [of a larger one] [of a day of windows]` (Linux)
//
// Peaks of memory of coinlake on one core (taskset). As root: all but the warehouse's folder is mounted read-only. Memory
// is the sum of proportional set sizes (PSS) of worker, Temporal and its keeper, five times a second.
// COINLAKE_BENCH_MEMORY_MIB=700: a memory cgroup of version 1 limits all processes and the page cache.
import { HOUR_MS } from '../config/values/duration.ts'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client, Connection, ScheduleOverlapPolicy } from '@temporalio/client'
import { warehouseId } from '../config/warehouse-paths.ts'
import { findServerBinary } from '../engine/server/find-server-binary.ts'
import { readServerRecord, statePaths } from '../engine/server/server-state.ts'
import { scheduleId } from '../workflows/sync-messages.ts'

/** In the future: windows before the schedule was applied do not count. */
const DAY = '2032-01-01'
const DAY_MS = Date.parse(DAY)
const NOW = new Date(DAY_MS + 24.5 * HOUR_MS).toISOString()
const WINDOWS = 24
const [few = 200, many = 800, daily = 500] = process.argv.slice(2).map(Number)
const run = promisify(execFile)
const bin = fileURLToPath(new URL('../bin/coinlake.js', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'coinlake-small-'))
const limitMib = process.env['COINLAKE_BENCH_MEMORY_MIB']
const group = join('/sys/fs/cgroup/memory', basename(root))
if (limitMib !== undefined) {
  mkdirSync(group)
  writeFileSync(join(group, 'memory.limit_in_bytes'), `${limitMib}M`)
}
/** The limit, and the number of processes that the kernel ended at it, for people. */
function limitText(): string {
  if (limitMib === undefined) return 'no limit'
  const [, kills = '?'] =
    /oom_kill (\d+)/.exec(readFileSync(join(group, 'memory.oom_control'), 'utf8')) ?? []
  return `limit of ${limitMib} MiB: ${kills} processes ended`
}

/** Answers with a point for each hour of the request. */
const service = createServer((request, response) => {
  const asked = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams
  const [fromMs = 0, toMs = 0] = ['from', 'to'].map((name) => Number(asked.get(name)) * 1_000)
  const firstMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS
  const count = Math.max(0, Math.floor((Math.min(toMs, Date.parse(NOW)) - firstMs) / HOUR_MS) + 1)
  const points = Array.from({ length: count }, (_, n) => [firstMs + n * HOUR_MS, 1e4 + n / 7])
  const body = { prices: points, market_caps: points, total_volumes: points }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
service.listen(0, '127.0.0.1')
await once(service, 'listening')
const { port } = service.address() as AddressInfo
const temporal = (await findServerBinary({ env: process.env })).path

/** A folder with a warehouse of so many coins, and the way to run its commands. */
function open(name: string, coins: number, from: string) {
  const dir = join(root, name)
  mkdirSync(dir)
  const ids = Array.from({ length: coins }, (_, n) => `coin-${n}`)
  writeFileSync(
    join(dir, 'coinlake.yaml'),
    `source: { base_url: "http://127.0.0.1:${port}" }
warehouse: ./warehouse
schedules: { hourly: { every: 1h, offset: 5m } }
datasets:
  market_chart: { coins: [${ids.join(', ')}], granularity: hourly, from: ${from} }
`,
  )
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    COINLAKE_ENGINE_DIR: join(dir, 'temporal'),
    COINLAKE_ENGINE_ISOLATED: '1',
    COINLAKE_TEMPORAL_BINARY: temporal,
    COINLAKE_NOW: NOW,
  }
  const readOnly = `mount --bind "${dir}" "${dir}" && mount -o remount,bind,ro / && cd "${dir}" && exec "$@"`
  const wrapped = process.getuid?.() === 0 ? ['unshare', '-m', 'sh', '-c', readOnly, 'sh'] : []
  const limited = ['sh', '-c', `echo $$ > "${group}/cgroup.procs" && exec "$@"`, 'sh']
  const line = (words: string[]) => [
    ...(limitMib === undefined ? [] : limited),
    ...wrapped,
    'taskset',
    '-c',
    '0',
    process.execPath,
    bin,
    ...words,
  ]
  return { dir, env, line }
}
type Small = ReturnType<typeof open>

/** Follows the memory of all processes of a folder. */
function watch({ env }: Small) {
  const peaks = { all: 0, anonymous: 0 }
  const read = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  const kib = (text: string, name: string): number =>
    Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  const timer = setInterval(() => {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    // The server's environment has no folder, but its command line has it.
    const ours = pids.filter((pid) =>
      (read(pid, 'environ') + read(pid, 'cmdline')).includes(env.COINLAKE_ENGINE_DIR),
    )
    const rollups = ours.map((pid) => read(pid, 'smaps_rollup'))
    const sum = (name: string) => rollups.reduce((all, text) => all + kib(text, name), 0) / 1_024
    peaks.all = Math.max(peaks.all, sum('Pss'))
    peaks.anonymous = Math.max(peaks.anonymous, sum('Pss_Anon'))
  }, 200)
  const text = () => `peak ${peaks.all.toFixed(0)} MiB (anonymous ${peaks.anonymous.toFixed(0)})`
  return { text, end: () => clearInterval(timer) }
}

async function backfill(coins: number): Promise<void> {
  const small = open(`backfill-${coins}`, coins, '2031-10-03')
  const watched = watch(small)
  const [command = '', ...args] = small.line(['backfill'])
  const startMs = performance.now()
  await run(command, args, { cwd: small.dir, env: small.env })
  watched.end()
  const seconds = (performance.now() - startMs) / 1_000
  console.log(
    `backfill, ${coins} coins, 90 days by the hour: ${seconds.toFixed(0)} s, ${watched.text()}`,
  )
}

async function day(coins: number): Promise<void> {
  const small = open(`day-${coins}`, coins, DAY)
  const { dir, env, line } = small
  const watched = watch(small)
  const [command = '', ...args] = line(['worker'])
  const worker = spawn(command, args, { cwd: dir, env, stdio: 'ignore' })
  const [apply = '', ...words] = line(['schedule', 'apply'])
  await run(apply, words, { cwd: dir, env })
  const { address, namespace } = readServerRecord(statePaths(env.COINLAKE_ENGINE_DIR))!
  const connection = await Connection.connect({ address })
  const client = new Client({ connection, namespace })
  const hourly = client.schedule.getHandle(
    scheduleId(warehouseId(join(dir, 'warehouse')), 'hourly'),
  )
  const startMs = performance.now()
  for (let window = 1; window <= WINDOWS; window += 1) {
    const at = new Date(DAY_MS + window * HOUR_MS + 300_000)
    const overlap = ScheduleOverlapPolicy.BUFFER_ALL
    await hourly.backfill({ start: at, end: at, overlap })
    for (let ended = 0; ended < window; await sleep(100)) {
      const { info } = await hourly.describe()
      ended = info.runningActions.length === 0 ? info.numActionsTaken : 0
    }
    if (window % 8 === 0) {
      const seconds = (performance.now() - startMs) / window / 1_000
      console.log(
        `${coins} coins, ${window} windows: ${seconds.toFixed(1)} s each, ${watched.text()}`,
      )
    }
  }
  const { stdout } = await run(
    process.execPath,
    [bin, 'query', 'SELECT count(*), count(DISTINCT coin_id) FROM market_chart', '--format', 'csv'],
    { cwd: dir, env },
  )
  console.log(`rows, coins: ${stdout.trim().split('\n').at(-1)}`)
  await connection.close()
  worker.kill('SIGTERM')
  await once(worker, 'exit')
  watched.end()
}

try {
  await backfill(few)
  await backfill(many)
  await day(daily)
  console.log(limitText())
} finally {
  service.close()
  // Temporal's keeper ends ten seconds after the last command.
  await sleep(12_000)
  rmSync(root, { recursive: true, force: true })
  if (limitMib !== undefined) rmdirSync(group)
}
