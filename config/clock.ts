import { ConfigError } from './config-error.ts'
import { parseUtcMs } from './values/utc-date.ts'

/** The source of "now". Passed in everywhere, so that recordings and simulations run at their own time. */
export interface Clock {
  /** Epoch milliseconds, UTC. */
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

export function frozenClock(nowMs: number): Clock {
  return { nowMs: () => nowMs }
}

/**
 * The clock of a process: frozen at `COINLAKE_NOW` (an ISO time) if that is set, else the system's.
 *
 * @throws ConfigError when COINLAKE_NOW is not a time.
 */
export function clockFromEnv(env: Record<string, string | undefined>): Clock {
  const text = env['COINLAKE_NOW']
  if (text === undefined || text === '') return systemClock
  const ms = parseUtcMs(text)
  if (ms === null) {
    throw new ConfigError(`COINLAKE_NOW is not a time: ${JSON.stringify(text)}`, {
      code: 'BAD_NOW',
      hint: 'Write an ISO time such as 2026-01-01T00:00:00Z, or unset it.',
    })
  }
  return frozenClock(ms)
}
