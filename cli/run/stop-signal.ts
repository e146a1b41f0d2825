import { EXIT } from '../../config/coinlake-error.ts'
import type { Effects } from '../effects.ts'
import { say } from '../effects.ts'

/**
 * Aborted by the first Ctrl-C (or SIGTERM), which means: finish the current write and end. The second
 * quits at once; nothing is lost by it but the pages in flight.
 */
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
  return controller.signal
}
