import { pino, type DestinationStream, type Logger } from 'pino'
import { printableLines } from '../../config/values/foreign-text.ts'

/** A log of JSON lines. Foreign text is escaped as by `--json`, because a terminal may show the log. */
export function jsonLog(level: string, stream: DestinationStream): Logger {
  const hooks = { streamWrite: printableLines }
  return pino({ level, base: { pid: process.pid }, hooks }, stream)
}
