import { appendFileSync, statSync, truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { acceptsConnections } from './accepts-connections.ts'
import { endProcess } from './end-process.ts'
import type { ServerBinary } from './binary/probe-binary.ts'
import { freePort } from './free-port.ts'
import { isAlive } from '../process-identity.ts'
import { databaseFile, logBlamesDatabase, moveDatabaseAside } from './server-database.ts'
import { startKeeper } from './server-process.ts'
import { readAnyRecord, readServerRecord, type StatePaths } from './server-state.ts'

/** A larger log is emptied: only the newest start matters. */
const MAX_LOG_BYTES = 5 * 1024 * 1024
/** A leaving keeper has gone by then: it gives its server 5 s to end. */
const LEAVES_WITHIN_MS = 10_000
const POLL_MS = 20

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * Brings up a server that answers, and its keeper. Takes over the server of a killed keeper. Else starts a new one on
 * the same port, which clients still know, and the same database. A damaged database is moved aside once. The caller
 * holds the lock of the state folder.
 *
 * @throws Error when no server can be started; the message names the log.
 */
export async function bringUpServer(
  paths: StatePaths,
  binary: ServerBinary,
  graceMs: number,
): Promise<void> {
  const dbFile = databaseFile(paths.dir, binary.serverVersion)
  const start = { binary: binary.path, dbFile, graceMs }
  if (await keeperStays(paths)) return
  const last = readAnyRecord(paths)
  if (last !== null && isAlive(last.server)) {
    const { port, server } = last
    if (await acceptsConnections(port)) {
      return startKeeper(paths, { ...start, port, pid: server.pid })
    }
    // The old server ends or hangs. Two servers must never have one database.
    await endProcess(server)
  }
  for (const log of [paths.serverLog, paths.supervisorLog]) {
    if (sizeOf(log) > MAX_LOG_BYTES) truncateSync(log)
  }
  const logBytes = sizeOf(paths.serverLog)
  try {
    return await startKeeper(paths, { ...start, port: await freePort(last?.port) })
  } catch (error) {
    note(paths, `the start failed: ${String(error)}`)
    if (logBlamesDatabase(paths.serverLog, logBytes)) {
      const aside = moveDatabaseAside(dbFile)
      note(paths, `warning: ${dbFile} is damaged; moved to ${aside}, starting with a new one`)
    }
  }
  // The processes that are connected go on asking at the port they know.
  return startKeeper(paths, { ...start, port: await freePort(last?.port) })
}

/** Whether a leaving keeper stays, because it has seen this process's lease. Otherwise waits until it has gone. */
async function keeperStays(paths: StatePaths): Promise<boolean> {
  const leaving = readAnyRecord(paths)?.supervisor
  if (leaving === undefined) return false
  const deadlineMs = Date.now() + LEAVES_WITHIN_MS
  while (isAlive(leaving) && Date.now() < deadlineMs) {
    if (readServerRecord(paths)?.supervisor.pid === leaving.pid) return true
    await sleep(POLL_MS)
  }
  // A keeper that hangs is ended. `bringUpServer` takes over or ends its server.
  if (isAlive(leaving)) await endProcess(leaving)
  return false
}

function note({ supervisorLog }: StatePaths, message: string): void {
  appendFileSync(supervisorLog, `${new Date().toISOString()} ${process.pid} ${message}\n`)
}
