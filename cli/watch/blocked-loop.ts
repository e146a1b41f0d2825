import type { Logger } from 'pino'
import { takeLongStep } from '../../config/long-step.ts'

/** A block of this length is written down: by then heartbeats are late and other slices wait. */
const BLOCKED_MS = 1_000
const LOOK_EVERY_MS = 250
/** A step explains a block when it is most of it. */
const MOST = 0.5

/**
 * Logs each time that one step held the thread for over a second, with that step: a late timer shows it. CPU far
 * below the time means that the machine or the disk stood still.
 */
export function watchLoop(log: Pick<Logger, 'warn'>): { close(): void } {
  let dueMs = performance.now() + LOOK_EVERY_MS
  let cpu = process.cpuUsage()
  const timer = setInterval(() => {
    const blockedMs = performance.now() - dueMs
    const step = takeLongStep()
    const { user, system } = process.cpuUsage(cpu)
    if (blockedMs >= BLOCKED_MS) {
      const at =
        step !== null && step.tookMs > blockedMs * MOST ? step.name : 'no step that is known'
      const rounded = {
        blockedMs: Math.round(blockedMs),
        cpuMs: Math.round((user + system) / 1000),
      }
      log.warn({ ...rounded, at }, 'nothing else was done for a while')
    }
    cpu = process.cpuUsage()
    dueMs = performance.now() + LOOK_EVERY_MS
  }, LOOK_EVERY_MS)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
