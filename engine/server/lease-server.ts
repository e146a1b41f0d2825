import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptsConnections } from './accepts-connections.ts'
import { bringUpServer } from './bring-up.ts'
import { serverGraceMs, type Env } from '../engine-env.ts'
import { EngineError } from '../engine-error.ts'
import { findServerBinary } from './find-server-binary.ts'
import { holdsLock, lockHolder, releaseLock, takeLock } from '../pid-lock.ts'
import { isAlive } from '../process-identity.ts'
import { dropLease, readServerRecord, statePaths, writeLease } from './server-state.ts'
import type { ServerRecord, StatePaths } from './server-state.ts'

export interface LeaseOptions {
  /** Each folder has one server. */
  stateDir: string
  env: Env
  onProgress?: ((message: string) => void) | undefined
  signal?: AbortSignal | undefined
}

/** A server that answers. The server stays until `release`, or until this process ends. */
export interface ServerLease {
  address: string
  namespace: string
  stateDir: string
  /** Whether the server was started for this lease. */
  isNew: boolean
  release(): void
}

/** A start has two tries of 30 s each. Waiting processes wait a little longer than both. */
const UP_TIMEOUT_MS = 70_000
const POLL_MS = 20
/** Time between two checks whether the keeper was killed. */
const WATCH_MS = 1_000
/** For less than this time two processes may both seem to hold the lock of a dead one. */
const LOCK_SETTLE_MS = 30

/** Whether a living keeper watches the server; it may be starting the server again. */
function isKept(paths: StatePaths): boolean {
  const record = readServerRecord(paths)
  return record !== null && isAlive(record.supervisor)
}

/** The record of a living server with a living keeper; null = none. */
function livingServer(paths: StatePaths): ServerRecord | null {
  const record = readServerRecord(paths)
  if (record === null || !isAlive(record.supervisor) || !isAlive(record.server)) return null
  return record
}

function startFailedError(paths: StatePaths, message: string): EngineError {
  return new EngineError(`no Temporal server in ${paths.dir}: ${message}`, {
    code: 'TEMPORAL_START_FAILED',
    hint: `Read ${paths.serverLog} and ${paths.supervisorLog}, or set TEMPORAL_ADDRESS to a server that runs.`,
  })
}

/** Starts under way in this process, by state folder. The folder's lock keeps only other processes out. */
const beingBroughtUp = new Map<string, Promise<void>>()

/** Starts a keeper for the server, unless another process is starting one. */
async function bringUp(lease: LeaseOptions, paths: StatePaths): Promise<void> {
  const underWay = beingBroughtUp.get(paths.dir)
  // The caller that began the start gets its error; all others check again.
  if (underWay !== undefined) return underWay.catch(() => undefined)
  const work = bringUpLocked(lease, paths).finally(() => beingBroughtUp.delete(paths.dir))
  beingBroughtUp.set(paths.dir, work)
  return work
}

async function bringUpLocked(lease: LeaseOptions, paths: StatePaths): Promise<void> {
  const found = await findServerBinary(lease)
  lease.signal?.throwIfAborted()
  if (!takeLock(paths.lock)) return
  try {
    await sleep(LOCK_SETTLE_MS)
    if (!holdsLock(paths.lock) || isKept(paths)) return
    await bringUpServer(paths, found, serverGraceMs(lease.env))
  } catch (error) {
    throw startFailedError(paths, error instanceof Error ? error.message : String(error))
  } finally {
    releaseLock(paths.lock)
  }
}

async function waitForServer(
  lease: LeaseOptions,
  paths: StatePaths,
): Promise<{ record: ServerRecord; isNew: boolean }> {
  let deadlineMs = Date.now() + UP_TIMEOUT_MS
  const isNew = livingServer(paths) === null
  do {
    lease.signal?.throwIfAborted()
    const record = livingServer(paths)
    if (record !== null && (await acceptsConnections(record.port))) return { record, isNew }
    if (isKept(paths) || lockHolder(paths.lock) !== null) {
      await sleep(POLL_MS)
      continue
    }
    await bringUp(lease, paths)
    // A download of the binary may have taken the time, so the wait begins again.
    deadlineMs = Date.now() + UP_TIMEOUT_MS
  } while (Date.now() < deadlineMs)
  throw startFailedError(paths, `nothing answered within ${UP_TIMEOUT_MS} ms`)
}

function openLease(paths: StatePaths): string {
  try {
    return writeLease(paths)
  } catch (error) {
    throw stateDirError(paths.dir, error)
  }
}

/** Checks that a state folder is writable or could be made. Makes nothing. @throws EngineError TEMPORAL_STATE_DIR */
export function requireStateDir(dir: string): void {
  let there = dir
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
  try {
    accessSync(there, constants.W_OK)
  } catch (error) {
    throw stateDirError(dir, error)
  }
}

function stateDirError(dir: string, cause: unknown): EngineError {
  return new EngineError(
    `cannot write the Temporal server's state folder ${dir}: ${(cause as Error).message}`,
    {
      code: 'TEMPORAL_STATE_DIR',
      hint: 'Make it writable, or set COINLAKE_ENGINE_DIR to a folder that is.',
      cause,
    },
  )
}

/** Replaces a killed keeper while this process leases the server. */
function watchKeeper(lease: LeaseOptions, paths: StatePaths): NodeJS.Timeout {
  let isBusy = false
  const bringBack = async (): Promise<void> => {
    if (isBusy || isKept(paths)) return
    isBusy = true
    // A start fails here when the binary has gone, for example. The next check tries again.
    await bringUp(lease, paths).catch(() => undefined)
    isBusy = false
  }
  const timer = setInterval(() => void bringBack(), WATCH_MS)
  timer.unref()
  return timer
}

/**
 * Leases the server of a state folder, and starts it if none runs. Callers at the same time get the same server. The
 * server stays while any process leases it, and its grace longer.
 *
 * @throws EngineError TEMPORAL_STATE_DIR, TEMPORAL_NOT_FOUND, TEMPORAL_BINARY_UNUSABLE, TEMPORAL_START_FAILED; or the
 * signal's reason.
 */
export async function leaseServer(lease: LeaseOptions): Promise<ServerLease> {
  const paths = statePaths(lease.stateDir)
  const leaseFile = openLease(paths)
  try {
    const { record, isNew } = await waitForServer(lease, paths)
    const watch = watchKeeper(lease, paths)
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

/** The running server of a state folder, without a lease; null = none. */
export function runningServer(stateDir: string): ServerRecord | null {
  return livingServer(statePaths(stateDir))
}
