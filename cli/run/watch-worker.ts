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
 * @returns the pid of a killed worker that has had time to start again; else null
 */
export function watchWorker(
  warehouseDir: string,
  note: (text: string) => void,
  nowMs: () => number = () => performance.now(),
): (sign: LookSign) => number | null {
  let silentSinceMs: number | null = null
  let killedSinceMs: number | null = null
  let isNoted = false
  return (sign) => {
    if (sign !== 'silent') {
      silentSinceMs = null
      isNoted = false
    }
    if (sign === 'heard') {
      killedSinceMs = null
      return null
    }
    const atMs = nowMs()
    const killed = killedWorker(warehouseDir)
    killedSinceMs = killed === null ? null : (killedSinceMs ?? atMs)
    if (killedSinceMs !== null && atMs - killedSinceMs >= RESTART_MS) return killed
    if (sign === 'idle') return null
    silentSinceMs ??= atMs
    if (!isNoted && atMs - silentSinceMs >= SILENCE_MS) {
      isNoted = true
      note(silenceText(livingWorker(warehouseDir)?.pid ?? null, atMs - silentSinceMs))
    }
    return null
  }
}

function silenceText(pid: number | null, silentMs: number): string {
  const duration = approximateDuration(silentMs)
  return pid === null
    ? `no worker has worked on the run for ${duration}: start \`coinlake worker\` again, or end this and run the same backfill`
    : `process ${pid}, which has the run, has not worked on it for ${duration}; if it is killed, this process goes on with the run`
}
