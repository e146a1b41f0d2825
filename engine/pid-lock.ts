import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAlive, ownIdentity, type ProcessIdentity } from './process-identity.ts'

/** Taking over a dead holder's lock may lose a race a few times, but not this often. */
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

/** Creates `path` with its content in one step: no process reads half a lock. @returns false when it exists */
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

/** Removes a dead holder's lock. If another process has replaced that lock meanwhile, its lock is put back. */
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
      // A third process has taken the lock. The holder of the moved lock notices this by `holdsLock`.
    }
  }
  rmSync(away, { force: true })
}

/** The living process that holds the lock; null = none. */
export function lockHolder(path: string): ProcessIdentity | null {
  const content = readIfThere(path)
  const holder = content === null ? null : parseIdentity(content)
  return holder !== null && isAlive(holder) ? holder : null
}

/** Takes the lock file for this process, also from a dead holder. @returns false when a living process holds it */
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

/** Whether this process still holds the lock. Another process may have moved it (`removeStale`). */
export function holdsLock(path: string): boolean {
  return readIfThere(path) === JSON.stringify(ownIdentity())
}

export function releaseLock(path: string): void {
  if (holdsLock(path)) rmSync(path, { force: true })
}
