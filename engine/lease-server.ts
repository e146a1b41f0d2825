import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { endProcess } from './end-process.ts'
import type { Env } from './engine-dirs.ts'
import { EngineError } from './engine-error.ts'
import { findServerBinary } from './find-server-binary.ts'
import { lockHolder } from './pid-lock.ts'
import { isAlive } from './process-identity.ts'
import { plainEnv } from './server-process.ts'
import {
  dropLease,
  ensureStateDir,
  readServerRecord,
  readStartFailure,
  statePaths,
  writeLease,
} from './server-state.ts'
import type { ServerRecord, StatePaths } from './server-state.ts'
import { graceMsFromEnv, supervisorScript } from './supervisor-options.ts'
import type { SupervisorOptions } from './supervisor-options.ts'

/** What to lease. */
export interface LeaseOptions {
  /** One folder = one server. */
  stateDir: string
  env: Env
  /** How long the server outlives its last lease; default COINLAKE_ENGINE_GRACE_MS, else 10 s. */
  graceMs?: number
  /** Told what takes long (a download), one line each. */
  onProgress?: (message: string) => void
  /** Nobody waits for the server any more. */
  signal?: AbortSignal
}

/** A server that answers and stays until `release`, or until this process ends in whatever way. */
export interface ServerLease {
  address: string
  namespace: string
  stateDir: string
  /** Whether it was started for this lease. */
  isNew: boolean
  release(): void
}

/** The supervisor itself tries twice, 30 s each; it is waited for no longer than that. */
const UP_TIMEOUT_MS = 70_000
const POLL_MS = 20
/** A supervisor that was killed is replaced by any process that still leases its server. */
const WATCH_MS = 1_000
const MAX_SPAWNS = 3

function spawnSupervisor(paths: StatePaths, options: SupervisorOptions): ChildProcess {
  const log = openSync(paths.supervisorLog, 'a', 0o600)
  const child = spawn(process.execPath, [supervisorScript(), JSON.stringify(options)], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: paths.dir,
    env: plainEnv(process.env),
  })
  closeSync(log)
  // A failed spawn shows as a supervisor that never comes; without a listener it would end this process.
  child.once('error', () => undefined)
  child.unref()
  return child
}

/** The record of a server that lives and is looked after, or null. */
function livingServer(paths: StatePaths): ServerRecord | null {
  const record = readServerRecord(paths)
  if (record === null || !isAlive(record.supervisor) || !isAlive(record.server)) return null
  return record
}

function startFailed(paths: StatePaths, message: string): EngineError {
  return new EngineError(`no Temporal server in ${paths.dir}: ${message}`, {
    code: 'TEMPORAL_START_FAILED',
    hint: `Read ${paths.serverLog} and ${paths.supervisorLog}, or set TEMPORAL_ADDRESS to a server that runs.`,
  })
}

async function supervisorOptions(lease: LeaseOptions): Promise<SupervisorOptions> {
  const { env, onProgress } = lease
  const found = await findServerBinary(onProgress === undefined ? { env } : { env, onProgress })
  return {
    stateDir: lease.stateDir,
    binary: found.path,
    binaryVersion: found.version,
    serverVersion: found.serverVersion,
    graceMs: lease.graceMs ?? graceMsFromEnv(env),
  }
}

async function waitForServer(
  lease: LeaseOptions,
  paths: StatePaths,
): Promise<{ record: ServerRecord; isNew: boolean }> {
  const sinceMs = Date.now()
  let options: SupervisorOptions | null = null
  let supervisor: ChildProcess | null = null
  let spawns = 0
  let deadlineMs = Date.now() + UP_TIMEOUT_MS
  while (Date.now() < deadlineMs) {
    lease.signal?.throwIfAborted()
    const record = livingServer(paths)
    if (record !== null) return { record, isNew: spawns > 0 }
    const failure = readStartFailure(paths)
    if (failure !== null && failure.atMs >= sinceMs) throw startFailed(paths, failure.message)
    const starting =
      supervisor !== null && supervisor.exitCode === null && supervisor.signalCode === null
    if (!starting && lockHolder(paths.lock) === null) {
      if (options === null) {
        options = await supervisorOptions(lease)
        deadlineMs = Date.now() + UP_TIMEOUT_MS
        continue
      }
      if (spawns >= MAX_SPAWNS) throw startFailed(paths, 'its supervisor ends at once')
      supervisor = spawnSupervisor(paths, options)
      spawns += 1
    }
    await sleep(POLL_MS)
  }
  throw startFailed(paths, `nothing answered within ${UP_TIMEOUT_MS} ms`)
}

function openLease(paths: StatePaths): string {
  try {
    ensureStateDir(paths)
    return writeLease(paths)
  } catch (error) {
    throw new EngineError(
      `cannot write the Temporal server's state folder ${paths.dir}: ${(error as Error).message}`,
      {
        code: 'TEMPORAL_STATE_DIR',
        hint: 'Make it writable, or set COINLAKE_ENGINE_DIR to a folder that is.',
        cause: error,
      },
    )
  }
}

/** Replaces a killed supervisor while this process needs its server. */
function watchSupervisor(lease: LeaseOptions, paths: StatePaths): NodeJS.Timeout {
  let busy = false
  const look = async () => {
    if (busy || lockHolder(paths.lock) !== null) return
    busy = true
    try {
      spawnSupervisor(paths, await supervisorOptions(lease))
    } catch {
      // No binary any more: the next look tries again, and whoever calls the server hears of it.
    } finally {
      busy = false
    }
  }
  const timer = setInterval(() => void look(), WATCH_MS)
  timer.unref()
  return timer
}

/**
 * Leases the server of a state folder, and starts it when none runs; two callers at once start one.
 * The server stays while any process that leases it lives, and `graceMs` longer.
 *
 * @throws EngineError TEMPORAL_STATE_DIR, TEMPORAL_NOT_FOUND, TEMPORAL_BINARY_UNUSABLE,
 * TEMPORAL_START_FAILED; the signal's reason when it is aborted while the server is awaited.
 */
export async function leaseServer(lease: LeaseOptions): Promise<ServerLease> {
  const paths = statePaths(lease.stateDir)
  const leaseFile = openLease(paths)
  try {
    const { record, isNew } = await waitForServer(lease, paths)
    const watch = watchSupervisor(lease, paths)
    return {
      address: record.address,
      namespace: record.namespace,
      stateDir: lease.stateDir,
      isNew,
      release: () => {
        clearInterval(watch)
        dropLease(leaseFile)
      },
    }
  } catch (error) {
    dropLease(leaseFile)
    throw error
  }
}

/** The server of a state folder if it runs, without leasing it. */
export function runningServer(stateDir: string): ServerRecord | null {
  return livingServer(statePaths(stateDir))
}

/**
 * Stops the server of a state folder now, whoever leases it, and waits until it has gone.
 *
 * @returns false when none ran.
 */
export async function stopServer(stateDir: string): Promise<boolean> {
  const holder = lockHolder(statePaths(stateDir).lock)
  if (holder === null) return false
  const SUPERVISOR_PATIENCE_MS = 10_000
  return endProcess(holder, SUPERVISOR_PATIENCE_MS)
}
