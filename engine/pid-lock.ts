import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAlive, ownIdentity } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** Taking over from a dead holder can lose a race a few times, never this often. */
const MAX_ATTEMPTS = 20

function parseIdentity(text: string): ProcessIdentity | null {
  try {
    const value = JSON.parse(text) as Partial<ProcessIdentity>
    if (typeof value.pid !== 'number' || typeof value.startTime !== 'string') return null
    return { pid: value.pid, startTime: value.startTime }
  } catch {
    return null
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Creates `path` with its content in one step, or reports that it exists. So no process ever reads half a lock. */
function createExclusively(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}.draft`
  writeFileSync(draft, content, { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Moves a dead holder's lock away; if another process's fresh lock was moved by accident, puts it back. */
function removeStale(path: string, staleContent: string): void {
  const away = `${path}.${process.pid}.stale`
  try {
    renameSync(path, away)
  } catch {
    return
  }
  if (readIfThere(away) !== staleContent) {
    try {
      linkSync(away, path)
    } catch {
      // A third process was faster: its lock stands, and the one moved away notices at its next look.
    }
  }
  rmSync(away, { force: true })
}

/** The process that holds the lock, if it still lives. */
export function lockHolder(path: string): ProcessIdentity | null {
  const content = readIfThere(path)
  const holder = content === null ? null : parseIdentity(content)
  return holder !== null && isAlive(holder) ? holder : null
}

/**
 * Takes the lock file for this process, over a dead holder if need be.
 *
 * @returns false when a living process holds it.
 */
export function takeLock(path: string): boolean {
  const own = JSON.stringify(ownIdentity())
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (createExclusively(path, own)) return true
    const content = readIfThere(path)
    if (content === null) continue
    const holder = parseIdentity(content)
    if (holder !== null && isAlive(holder)) return holdsLock(path)
    removeStale(path, content)
  }
  return false
}

/** Whether this process holds the lock (still: holders look again, see `removeStale`). */
export function holdsLock(path: string): boolean {
  return readIfThere(path) === JSON.stringify(ownIdentity())
}

/** Gives the lock back, if it is ours. */
export function releaseLock(path: string): void {
  if (holdsLock(path)) rmSync(path, { force: true })
}
