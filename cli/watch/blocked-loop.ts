import type { Logger } from 'pino'
import { takeLongestStep } from '../../config/long-step.ts'

/** A block of this length is logged, because heartbeats are late by then and other slices wait. */
const BLOCKED_MS = 1_000
const LOOK_EVERY_MS = 250
/** A step that takes this part of a block explains it. */
const EXPLAINING_SHARE = 0.5

/**
 * Logs each time that the thread was blocked for over a second, with the step that blocked it. CPU time far below the
 * duration means that the machine or the disk was slow.
 */
export function watchLoop(log: Pick<Logger, 'warn'>): { close(): void } {
  let dueMs = performance.now() + LOOK_EVERY_MS
  let cpu = process.cpuUsage()
  const timer = setInterval(() => {
    const blockedMs = performance.now() - dueMs
    const step = takeLongestStep()
    const { user, system } = process.cpuUsage(cpu)
    if (blockedMs >= BLOCKED_MS) {
      const at =
        step !== null && step.tookMs > blockedMs * EXPLAINING_SHARE ? step.name : 'no known step'
      const rounded = {
        blockedMs: Math.round(blockedMs),
        cpuMs: Math.round((user + system) / 1000),
      }
      log.warn({ ...rounded, at }, 'the thread was blocked')
    }
    cpu = process.cpuUsage()
    dueMs = performance.now() + LOOK_EVERY_MS
  }, LOOK_EVERY_MS)
  timer.unref()
  return { close: () => clearInterval(timer) }
}
