import { rmSync, statSync, truncateSync } from 'node:fs'
import { acceptsConnections } from './accepts-connections.ts'
import { endProcess } from './end-process.ts'
import { freePort } from './free-port.ts'
import { isAlive, ownIdentity } from './process-identity.ts'
import {
  databaseFile,
  isForeignFile,
  logBlamesDatabase,
  moveDatabaseAside,
} from './server-database.ts'
import { SERVER_NAMESPACE, startServerProcess } from './server-process.ts'
import { readServerRecord, statePaths } from './server-state.ts'
import type { ServerRecord } from './server-state.ts'
import type { SupervisorOptions } from './supervisor-options.ts'

/** At warn level this is months; only the newest start matters. */
const MAX_LOG_BYTES = 5 * 1024 * 1024

/** What a server is brought up with. */
export interface BringUp {
  options: SupervisorOptions
  /** Told what was done on the way, for the supervisor's log. */
  say: (message: string) => void
  /** Called once when a server that this process started has ended. */
  onEnd: () => void
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * The server that a killed supervisor left behind, if it still answers. One that lives and does not
 * answer is ended: two servers must never have one database.
 */
async function adopt(last: ServerRecord | null): Promise<ServerRecord | null> {
  if (last === null || !isAlive(last.server)) return null
  if (await acceptsConnections(last.port)) return { ...last, supervisor: ownIdentity() }
  await endProcess(last.server)
  return null
}

async function start(bringUp: BringUp, port: number): Promise<ServerRecord> {
  const { options } = bringUp
  const paths = statePaths(options.stateDir)
  const { identity, child } = await startServerProcess({
    binary: options.binary,
    port,
    dbFile: databaseFile(options.stateDir, options.serverVersion),
    logFile: paths.serverLog,
  })
  if (child.exitCode !== null || child.signalCode !== null) bringUp.onEnd()
  else child.once('exit', bringUp.onEnd)
  return {
    address: `127.0.0.1:${port}`,
    namespace: SERVER_NAMESPACE,
    port,
    server: identity,
    supervisor: ownIdentity(),
    binary: options.binary,
    binaryVersion: options.binaryVersion,
  }
}

/**
 * A server that answers: the one left behind, else a new one on the same port (clients still know
 * it) and the same database. A damaged database is moved aside, once.
 *
 * @throws Error when no server can be started; the message names the log.
 */
export async function bringUpServer(bringUp: BringUp): Promise<ServerRecord> {
  const { options, say } = bringUp
  const paths = statePaths(options.stateDir)
  const last = readServerRecord(paths)
  const adopted = await adopt(last)
  if (adopted !== null) {
    say(`took over server ${adopted.server.pid} on ${adopted.address}`)
    return adopted
  }
  rmSync(paths.failure, { force: true })
  const dbFile = databaseFile(options.stateDir, options.serverVersion)
  if (sizeOf(paths.serverLog) > MAX_LOG_BYTES) truncateSync(paths.serverLog)
  if (isForeignFile(dbFile)) warnMoved(say, dbFile)
  const logBytes = sizeOf(paths.serverLog)
  const port = await freePort(last?.port)
  try {
    return await start(bringUp, port)
  } catch (error) {
    say(`start on port ${port} failed: ${String(error)}`)
    if (logBlamesDatabase(paths.serverLog, logBytes)) warnMoved(say, dbFile)
  }
  try {
    return await start(bringUp, await freePort())
  } catch (error) {
    throw new Error(`${(error as Error).message}; its log is ${paths.serverLog}`, { cause: error })
  }
}

function warnMoved(say: (message: string) => void, dbFile: string): void {
  const aside = moveDatabaseAside(dbFile)
  say(`warning: ${dbFile} is damaged; moved to ${aside}, starting with a new one`)
}
