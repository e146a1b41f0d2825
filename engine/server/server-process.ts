import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { acceptsConnections } from './accepts-connections.ts'
import { endProcess } from './end-process.ts'
import { processIdentity } from '../process-identity.ts'
import { readServerRecord, type StatePaths } from './server-state.ts'

/** A dev server to start or to take over. */
export interface ServerStart {
  binary: string
  port: number
  dbFile: string
  graceMs: number
  /** Pid of a running server to take over; absent = start one. */
  pid?: number
}

/** Measured: 0.2 to 0.35 s. The limit suits a cold disk on a busy machine. */
const READY_TIMEOUT_MS = 30_000
const READY_POLL_MS = 20
const END_TIMEOUT_MS = 10_000
const LONGEST_CHECK_MS = 500
const SHORTEST_CHECK_MS = 25
const CHECKS_PER_GRACE = 8
const MS_PER_S = 1_000

/**
 * The default of 20 polls a second limits a sequential workflow to 10 steps a second. One partition: Temporal keeps the
 * order of priorities only within a partition.
 */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
]

/** Variables that the server and its keeper need. Without API keys, TEMPORAL_* and NODE_OPTIONS. */
const PASSED_ENV = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'GODEBUG']

function plainEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    PASSED_ENV.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  )
}

function startArgs(start: ServerStart): string[] {
  const flags: [string, string][] = [
    ['--ip', '127.0.0.1'],
    ['--port', String(start.port)],
    ['--db-filename', start.dbFile],
    ['--sqlite-pragma', 'journal_mode=WAL'],
    ['--sqlite-pragma', 'synchronous=NORMAL'],
    ['--log-level', 'warn'],
    ['--log-format', 'json'],
  ]
  for (const value of DYNAMIC_CONFIG) flags.push(['--dynamic-config-value', value])
  return ['server', 'start-dev', '--headless', ...flags.flat()]
}

function spawnKeeper(paths: StatePaths, start: ServerStart): ChildProcess {
  const checkEveryMs = Math.max(
    SHORTEST_CHECK_MS,
    Math.min(LONGEST_CHECK_MS, start.graceMs / CHECKS_PER_GRACE),
  )
  const log = openSync(paths.supervisorLog, 'a', 0o600)
  const args = [
    fileURLToPath(new URL('keep-server.sh', import.meta.url)),
    paths.dir,
    String(checkEveryMs / MS_PER_S),
    String(Math.ceil(start.graceMs / checkEveryMs)),
    String(start.port),
    String(start.pid ?? ''),
    start.binary,
    ...startArgs(start),
  ]
  const child = spawn('/bin/sh', args, {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: paths.dir,
    env: plainEnv(process.env),
  })
  closeSync(log)
  child.unref()
  return child
}

/**
 * Starts the keeper of a dev server (keep-server.sh), and waits until the server listens.
 *
 * @throws Error when the server exits or does not answer in time; its keeper has then ended.
 */
export async function startKeeper(paths: StatePaths, start: ServerStart): Promise<void> {
  const child = spawnKeeper(paths, start)
  let ended: string | null = null
  child.once('error', (error) => (ended = error.message))
  child.once(
    'exit',
    (code, signal) => (ended = `exit code ${code ?? 'none'}, signal ${signal ?? 'none'}`),
  )
  const deadlineMs = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadlineMs) {
    await sleep(READY_POLL_MS)
    if (ended !== null)
      throw new Error(`the Temporal server ended before it answered (${String(ended)})`)
    // The server creates its namespace before it listens, so an open port means ready. Asking with the CLI would cost
    // 0.2 s more.
    const isNamed = readServerRecord(paths)?.supervisor.pid === child.pid
    if (!isNamed || !(await acceptsConnections(start.port))) continue
    child.kill('SIGUSR1')
    return
  }
  // The keeper ends its server first, because two servers must never have one database.
  const keeper = processIdentity(child.pid ?? 0)
  if (keeper !== null) await endProcess(keeper, END_TIMEOUT_MS)
  throw new Error(
    `the Temporal server did not answer on 127.0.0.1:${start.port} within ${READY_TIMEOUT_MS} ms`,
  )
}
