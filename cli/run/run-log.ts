import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { multistream, pino, type DestinationStream, type Logger } from 'pino'
import type { LogConfig } from '../../config/settings/read-watching.ts'
import type { EngineLog } from '../../engine/runtime.ts'
import { utcDay } from '../render/utc-text.ts'
import { jsonLog } from './json-log.ts'
import { sweepLogs } from './sweep-logs.ts'

/**
 * The log of a process that works on a warehouse: JSON lines in `state/logs/`, a file a day, and on stderr if
 * configured. Old files are removed. A key is a `Secret`, so the log has only `[secret]`.
 */
export function openRunLog(logsDir: string, log: LogConfig, stderr: Writable): Logger {
  mkdirSync(logsDir, { recursive: true, mode: 0o700 })
  const files = dayFiles(logsDir, () => sweepLogs(logsDir, log.keepMs))
  const streams = [{ level: log.level, stream: files }]
  if (log.format === 'json') streams.push({ level: log.level, stream: stderr })
  return jsonLog(log.level, multistream(streams))
}

/** Appends to the file of the day, because a worker lives for months. */
function dayFiles(logsDir: string, onNewDay: () => void): DestinationStream {
  const dayOf = (): string => utcDay(Date.now())
  const open = (day: string) => {
    const dest = join(logsDir, `coinlake-${day}.log`)
    const file = pino.destination({ dest, mode: 0o600, sync: true })
    // A full disk fails a load or a report, which have better messages.
    file.on('error', () => undefined)
    return file
  }
  let day = dayOf()
  let file = open(day)
  onNewDay()
  return {
    write(line) {
      if (day !== dayOf()) {
        file.end()
        day = dayOf()
        file = open(day)
        onNewDay()
      }
      file.write(line)
    },
  }
}

/** For Temporal's lines. */
export function engineLog(log: Logger): EngineLog {
  return (level, message, meta) =>
    log[level.toLowerCase() as Lowercase<typeof level>](meta, message)
}
