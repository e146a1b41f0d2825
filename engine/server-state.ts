import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../config/atomic-file.ts'
import { isAlive, ownIdentity } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** The paths in a server's state folder. */
export interface StatePaths {
  dir: string
  lock: string
  server: string
  failure: string
  leases: string
  serverLog: string
  supervisorLog: string
}

/** What `server.json` says while a server answers. Left behind by a supervisor that was killed. */
export interface ServerRecord {
  address: string
  namespace: string
  port: number
  server: ProcessIdentity
  supervisor: ProcessIdentity
  /** The Temporal CLI that runs, so that a new supervisor can start the same one again. */
  binary: string
  binaryVersion: string
}

/** Why the last supervisor gave up, for the process that waits for it. */
export interface StartFailure {
  atMs: number
  message: string
}

/** Where everything of one server lies. */
export function statePaths(dir: string): StatePaths {
  return {
    dir,
    lock: join(dir, 'supervisor.lock'),
    server: join(dir, 'server.json'),
    failure: join(dir, 'failure.json'),
    leases: join(dir, 'leases'),
    serverLog: join(dir, 'server.log'),
    supervisorLog: join(dir, 'supervisor.log'),
  }
}

/** Makes the state folder, for this user's eyes only: the server in it asks for no password. */
export function ensureStateDir(paths: StatePaths): void {
  mkdirSync(paths.leases, { recursive: true, mode: 0o700 })
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return null
  }
}

/** What `server.json` says, or null when it is missing or unreadable. The server may have died since. */
export function readServerRecord(paths: StatePaths): ServerRecord | null {
  return readJson(paths.server) as ServerRecord | null
}

/** What the last supervisor that gave up has left, or null. */
export function readStartFailure(paths: StatePaths): StartFailure | null {
  return readJson(paths.failure) as StartFailure | null
}

/** Writes a JSON file of the state folder in one step (temp + rename), so nobody reads half of it. */
export function writeState(path: string, value: ServerRecord | StartFailure): void {
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`)
}

let leaseCount = 0

/**
 * Says "this process needs the server". The name carries everything, so that a lease is whole the
 * moment it exists; it ends with `dropLease` or with the process, however that ends.
 */
export function writeLease(paths: StatePaths): string {
  const own = ownIdentity()
  leaseCount += 1
  const path = join(paths.leases, `${own.pid}-${own.startTime}-${leaseCount}.json`)
  writeFileSync(path, `${JSON.stringify(own)}\n`, { mode: 0o600 })
  return path
}

/** Takes a lease back. */
export function dropLease(path: string): void {
  rmSync(path, { force: true })
}

function leaseOwner(fileName: string): ProcessIdentity | null {
  const [, pid, startTime] = /^(\d+)-(\d+)-\d+\.json$/.exec(fileName) ?? []
  return pid === undefined || startTime === undefined ? null : { pid: Number(pid), startTime }
}

/** The processes that lease the server and still live; leases of dead ones are removed on the way. */
export function livingLeases(paths: StatePaths): ProcessIdentity[] {
  let names: string[]
  try {
    names = readdirSync(paths.leases)
  } catch {
    return []
  }
  const living: ProcessIdentity[] = []
  for (const name of names) {
    const owner = leaseOwner(name)
    if (owner !== null && isAlive(owner)) living.push(owner)
    else rmSync(join(paths.leases, name), { force: true })
  }
  return living
}
