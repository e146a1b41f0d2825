import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptsConnections } from './accepts-connections.ts'
import { processIdentity } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** What a dev server needs to start. */
export interface ServerStart {
  binary: string
  port: number
  dbFile: string
  logFile: string
}

/** A dev server that answers. */
export interface RunningServer {
  identity: ProcessIdentity
  child: ChildProcess
}

export const SERVER_NAMESPACE = 'default'

/** Measured 0.2-0.35 s; a cold disk and a busy machine are given a hundred times that. */
const READY_TIMEOUT_MS = 30_000
const READY_POLL_MS = 20

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

/** Only what the server and its supervisor need: no API key, no TEMPORAL_*, no NODE_OPTIONS. */
const PASSED_ENV = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ', 'GODEBUG']

/** The environment for long-lived processes of the engine, without the caller's secrets. */
export function plainEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
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

/**
 * Starts a dev server and waits until it listens. The child belongs to this process's session and
 * holds no descriptor but its log.
 *
 * @throws Error when it ends or does not answer in time; it has been killed then.
 */
export async function startServerProcess(start: ServerStart): Promise<RunningServer> {
  const log = openSync(start.logFile, 'a', 0o600)
  const child = spawn(start.binary, startArgs(start), {
    stdio: ['ignore', log, log],
    env: plainEnv(process.env),
  })
  closeSync(log)
  let ended: string | null = null
  child.once('error', (error) => (ended = error.message))
  child.once(
    'exit',
    (code, signal) => (ended = `exit code ${code ?? 'none'}, signal ${signal ?? 'none'}`),
  )
  const address = `127.0.0.1:${start.port}`
  const deadlineMs = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadlineMs) {
    await sleep(READY_POLL_MS)
    if (ended !== null) throw new Error(`the Temporal server ended at once (${String(ended)})`)
    // Its namespace is in the database before it listens. A command that asks takes a fifth of a second,
    // and as much CPU as the server's own start.
    if (!(await acceptsConnections(start.port))) continue
    const identity = child.pid === undefined ? null : processIdentity(child.pid)
    if (identity !== null) return { identity, child }
  }
  child.kill('SIGKILL')
  throw new Error(`the Temporal server did not answer on ${address} within ${READY_TIMEOUT_MS} ms`)
}
