import { rmSync } from 'node:fs'
import { bringUpServer } from './bring-up.ts'
import { endProcess } from './end-process.ts'
import { holdsLock, releaseLock, takeLock } from './pid-lock.ts'
import { isAlive } from './process-identity.ts'
import { livingLeases, readServerRecord, statePaths, writeState } from './server-state.ts'
import type { ServerRecord, StatePaths } from './server-state.ts'
import type { SupervisorOptions } from './supervisor-options.ts'

/** Two that take over from a dead supervisor at once may both believe it for a moment; by now one does not. */
const LOCK_SETTLE_MS = 30
const LONGEST_TICK_MS = 500
const SHORTEST_TICK_MS = 25
const TICKS_PER_GRACE = 8
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000

function say(message: string): void {
  process.stderr.write(`${new Date().toISOString()} ${process.pid} ${message}\n`)
}

/** A sleep that can be cut short: by the end of the server, or by a signal. */
function sleeper(): { sleep: (ms: number) => Promise<void>; wake: () => void } {
  let wakeUp: () => void = () => undefined
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        wakeUp = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
    wake: () => wakeUp(),
  }
}

/**
 * Withdraws the server from sight, and says whether that was right: a process that leased it before
 * it was withdrawn may already be on its way to it. (It writes its lease, then reads the record; we
 * remove the record, then read the leases: one of the two sees the other.)
 */
function withdraw(paths: StatePaths, record: ServerRecord): boolean {
  rmSync(paths.server, { force: true })
  if (livingLeases(paths).length === 0) return true
  writeState(paths.server, record)
  return false
}

async function keepServer(options: SupervisorOptions, paths: StatePaths): Promise<void> {
  const { sleep, wake } = sleeper()
  const stop = new AbortController()
  const onSignal = (signal: NodeJS.Signals) => {
    say(`${signal}: stopping`)
    stop.abort()
    wake()
  }
  process.once('SIGTERM', onSignal)
  process.once('SIGINT', onSignal)
  const bringUp = { options, say, onEnd: wake }
  const tickMs = Math.max(
    SHORTEST_TICK_MS,
    Math.min(LONGEST_TICK_MS, options.graceMs / TICKS_PER_GRACE),
  )
  let record = await bringUpServer(bringUp)
  say(`server ${record.server.pid} answers on ${record.address}`)
  writeState(paths.server, record)
  let leasedAtMs = performance.now()
  let retryMs = FIRST_RETRY_MS
  while (!stop.signal.aborted && holdsLock(paths.lock)) {
    const leased = livingLeases(paths).length > 0
    if (leased) leasedAtMs = performance.now()
    if (performance.now() - leasedAtMs >= options.graceMs && withdraw(paths, record)) break
    if (!leased || isAlive(record.server)) {
      await sleep(tickMs)
      continue
    }
    say(`server ${record.server.pid} has died; starting it again`)
    try {
      record = await bringUpServer(bringUp)
      writeState(paths.server, record)
      retryMs = FIRST_RETRY_MS
    } catch (error) {
      say(`cannot start it: ${String(error)}; again in ${retryMs} ms`)
      await sleep(retryMs)
      retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2)
    }
  }
  if (holdsLock(paths.lock)) rmSync(paths.server, { force: true })
  const ended = await endProcess(record.server)
  say(ended ? 'server stopped' : `server ${record.server.pid} does not end`)
}

/**
 * The life of the detached process that keeps one user's server: takes the lock (or ends, if
 * another has it), starts the server, starts it again when it dies while somebody leases it, and
 * stops it when for `graceMs` no living process has leased it. Ends by removing its files.
 */
export async function supervise(options: SupervisorOptions): Promise<void> {
  const paths = statePaths(options.stateDir)
  if (!takeLock(paths.lock)) return
  await new Promise((resolve) => setTimeout(resolve, LOCK_SETTLE_MS))
  if (!holdsLock(paths.lock)) return
  try {
    await keepServer(options, paths)
  } catch (error) {
    say(`giving up: ${String(error)}`)
    const message = error instanceof Error ? error.message : String(error)
    writeState(paths.failure, { atMs: Date.now(), message })
    const last = readServerRecord(paths)
    if (last !== null && isAlive(last.server)) await endProcess(last.server)
    process.exitCode = 1
  } finally {
    releaseLock(paths.lock)
  }
}
