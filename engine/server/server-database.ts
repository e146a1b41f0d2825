import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A log of a failed start with one of these words blames a damaged database. */
const DAMAGE_PATTERN =
  /malformed|not a database|SQLITE_CORRUPT|SQLITE_NOTADB|disk image|no such (table|column)/i

/** Suffixes of the files of one SQLite database. */
const SUFFIXES = ['', '-wal', '-shm', '-journal']

/**
 * The database file of a server version. Each minor version has its own, because the server never migrates a schema. A
 * new file loses no results: these are in the ledger.
 */
export function databaseFile(stateDir: string, serverVersion: string): string {
  const minor = /^\d+\.\d+/.exec(serverVersion)?.[0] ?? 'unknown'
  return join(stateDir, `temporal-${minor}.db`)
}

/** Whether the log blames the database, in the part from `fromBytes` on. */
export function logBlamesDatabase(logFile: string, fromBytes: number): boolean {
  return (
    existsSync(logFile) && DAMAGE_PATTERN.test(readFileSync(logFile).toString('utf8', fromBytes))
  )
}

/** Moves a damaged database aside, and deletes the last one there. @returns its new path */
export function moveDatabaseAside(dbFile: string): string {
  const aside = `${dbFile}.damaged`
  for (const suffix of SUFFIXES) {
    rmSync(aside + suffix, { force: true })
    if (existsSync(dbFile + suffix)) renameSync(dbFile + suffix, aside + suffix)
  }
  return aside
}
