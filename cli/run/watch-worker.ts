import { approximateDuration } from '../render/quantities.ts'
import type { LookSign } from './signs-of-worker.ts'
import { killedWorker, livingWorker } from './worker-claim.ts'

/** A restarting server and its workers are silent for a shorter time. */
const SILENCE_MS = 20_000
/** A service manager starts a killed worker again within this time. */
const RESTART_MS = 20_000

/**
 * Watches the worker that has a followed run, and notes each long silence once. The returned function is called at each
 * look at the run.
 *
 * @returns why the run has no worker, when it has had time to start again: it was killed, or it ended without ever
 *   working on the run. Null = it has one, or one that was stopped on purpose in mid-run.
 */
export function watchWorker(
  warehouseDir: string,
  note: (text: string) => void,
  nowMs: () => number = () => performance.now(),
): (sign: LookSign) => string | null {
  let silentSinceMs: number | null = null
  let goneSinceMs: number | null = null
  let isHeard = false
  let isNoted = false
  return (sign) => {
    if (sign !== 'silent') {
      silentSinceMs = null
      isNoted = false
    }
    if (sign === 'heard') {
      goneSinceMs = null
      isHeard = true
      return null
    }
    const atMs = nowMs()
    const gone = goneText(warehouseDir, isHeard)
    goneSinceMs = gone === null ? null : (goneSinceMs ?? atMs)
    if (goneSinceMs !== null && atMs - goneSinceMs >= RESTART_MS) return gone
    if (sign === 'idle') return null
    silentSinceMs ??= atMs
    if (!isNoted && atMs - silentSinceMs >= SILENCE_MS) {
      isNoted = true
      note(silenceText(livingWorker(warehouseDir)?.pid ?? null, atMs - silentSinceMs))
    }
    return null
  }
}

function goneText(warehouseDir: string, isHeard: boolean): string | null {
  const killed = killedWorker(warehouseDir)
  if (killed !== null) return `process ${killed} was killed`
  return isHeard || livingWorker(warehouseDir) !== null ? null : 'no process has taken the run'
}

function silenceText(pid: number | null, silentMs: number): string {
  const duration = approximateDuration(silentMs)
  return pid === null
    ? `no worker has worked on the run for ${duration}: start \`coinlake worker\` again, or end this and run the same backfill`
    : `process ${pid}, which has the run, has not worked on it for ${duration}; if it is killed, this process goes on with the run`
}
