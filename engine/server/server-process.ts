import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { acceptsConnections } from './accepts-connections.ts'
import { endProcess } from './end-process.ts'
import { processIdentity } from '../process-identity.ts'
import { readServerRecord } from './server-state.ts'
import type { StatePaths } from './server-state.ts'

/** A dev server to be kept: its binary, its place, and how long it stays. */
export interface ServerStart {
  binary: string
  port: number
  dbFile: string
  /** How long it stays after the last lease has gone. */
  graceMs: number
  /** A server that lives and is taken over; absent = a new one. */
  pid?: number
}

/** Measured 0.2-0.35 s; a cold disk and a busy machine are given a hundred times that. */
const READY_TIMEOUT_MS = 30_000
const READY_POLL_MS = 20
const END_TIMEOUT_MS = 10_000
const LONGEST_LOOK_MS = 500
const SHORTEST_LOOK_MS = 25
const LOOKS_PER_GRACE = 8
const MS_PER_S = 1_000

/**
 * The one history shard of a dev server is polled at most 20 times a second by default, which holds
 * a sequential workflow to 10 steps a second; and one partition makes a queue's rate cap exact.
 */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
]

/** Only what the server and its keeper need: no API key, no TEMPORAL_*, no NODE_OPTIONS. */
const PASSED_ENV = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'GODEBUG']

/** The environment for long-lived processes of the engine, without the caller's secrets. */
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
  const lookMs = Math.max(
    SHORTEST_LOOK_MS,
    Math.min(LONGEST_LOOK_MS, start.graceMs / LOOKS_PER_GRACE),
  )
  const log = openSync(paths.supervisorLog, 'a', 0o600)
  const args = [
    fileURLToPath(new URL('keep-server.sh', import.meta.url)),
    paths.dir,
    String(lookMs / MS_PER_S),
    String(Math.ceil(start.graceMs / lookMs)),
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
 * Has a dev server kept by a process of its own (keep-server.sh), and waits until it listens.
 *
 * @throws Error when it ends or does not answer in time; it is being ended then.
 */
export async function keepServer(paths: StatePaths, start: ServerStart): Promise<void> {
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
    if (ended !== null) throw new Error(`the Temporal server ended at once (${String(ended)})`)
    // Its namespace is in the database before it listens. A command that asks takes a fifth of a second,
    // and as much CPU as the server's own start.
    const isNamed = readServerRecord(paths)?.supervisor.pid === child.pid
    if (!isNamed || !(await acceptsConnections(start.port))) continue
    child.kill('SIGUSR1')
    return
  }
  // The keeper ends its server before itself: two must never have one database.
  const keeper = processIdentity(child.pid ?? 0)
  if (keeper !== null) await endProcess(keeper, END_TIMEOUT_MS)
  throw new Error(
    `the Temporal server did not answer on 127.0.0.1:${start.port} within ${READY_TIMEOUT_MS} ms`,
  )
}
