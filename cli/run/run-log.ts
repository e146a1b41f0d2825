import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Logger } from 'pino'
import type { EngineLog } from '../../engine/runtime.ts'

/**
 * The log of a process that works on a warehouse: JSON lines in `state/logs/`, one file a day. Keys
 * cannot reach it: they are `Secret` values, which print as `[secret]`.
 */
export function openRunLog(logsDir: string, nowMs: number): Logger {
  mkdirSync(logsDir, { recursive: true, mode: 0o700 })
  const day = new Date(nowMs).toISOString().slice(0, 10)
  const dest = join(logsDir, `coinlake-${day}.log`)
  const destination = pino.destination({ dest, mode: 0o600, sync: true })
  // A disk that is full fails the load or the report, with a better message; never a line of the log.
  destination.on('error', () => undefined)
  return pino({ level: 'info', base: { pid: process.pid } }, destination)
}

/** Temporal's own lines in the same log. */
export function engineLog(log: Logger): EngineLog {
  return (level, message, meta) => {
    const method = (
      { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const
    )[level]
    log[method](meta, message)
  }
}
