import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readStateFile } from '../../activities/state-file.ts'
import { ownIdentity, type ProcessIdentity } from '../process-identity.ts'

/** The paths in a server's state folder. */
export interface StatePaths {
  dir: string
  lock: string
  server: string
  leaving: string
  leases: string
  serverLog: string
  supervisorLog: string
}

/** A server and its keeper, as the keeper (keep-server.sh) writes them into `server.json`. */
export interface ServerRecord {
  address: string
  namespace: string
  port: number
  server: ProcessIdentity
  supervisor: ProcessIdentity
}

export function statePaths(dir: string): StatePaths {
  return {
    dir,
    lock: join(dir, 'supervisor.lock'),
    server: join(dir, 'server.json'),
    leaving: join(dir, 'leaving.json'),
    leases: join(dir, 'leases'),
    serverLog: join(dir, 'server.log'),
    supervisorLog: join(dir, 'supervisor.log'),
  }
}

/** The record in `server.json`; null when missing or unreadable. The server may have died since. */
export function readServerRecord(paths: StatePaths): ServerRecord | null {
  return readStateFile(paths.server) as ServerRecord | null
}

/** As `readServerRecord`; if that is null, the record of a server that is being ended (`leaving.json`). */
export function readAnyRecord(paths: StatePaths): ServerRecord | null {
  return readServerRecord(paths) ?? (readStateFile(paths.leaving) as ServerRecord | null)
}

let leaseCount = 0

/**
 * Makes a lease: this process needs the server. The file's name has all facts, so no lease is half written. A lease ends
 * with `dropLease` or with the process.
 */
export function writeLease(paths: StatePaths): string {
  // For this user only, because the server asks for no password.
  mkdirSync(paths.leases, { recursive: true, mode: 0o700 })
  const own = ownIdentity()
  leaseCount += 1
  const path = join(paths.leases, `${own.pid}-${own.startTime}-${leaseCount}.json`)
  writeFileSync(path, `${JSON.stringify(own)}\n`, { mode: 0o600 })
  return path
}

export function dropLease(path: string): void {
  rmSync(path, { force: true })
}
