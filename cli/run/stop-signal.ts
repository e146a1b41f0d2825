import { once } from 'node:events'
import { EXIT } from '../../config/coinlake-error.ts'
import { say, type Effects } from '../effects.ts'
import { endBySecondInterrupt } from './second-interrupt.ts'

/** A signal for the first Ctrl-C (or SIGTERM). The second quits at once, and only pages in flight are lost. */
export function stopSignal(effects: Effects, onFirst?: () => void): AbortSignal {
  const controller = new AbortController()
  const onSignal = (): void => {
    if (controller.signal.aborted) {
      say(effects, 'quitting now')
      process.exit(EXIT.interrupted)
    }
    onFirst?.()
    controller.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  endBySecondInterrupt()
  return controller.signal
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Waits for the stop. A timer keeps the process alive meanwhile, as listeners for signals do not. */
export async function untilStopped(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return
  const alive = setInterval(() => undefined, LONGEST_TIMER_MS)
  try {
    await once(stop, 'abort')
  } finally {
    clearInterval(alive)
  }
}
