import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'
import { printableLines } from '../../config/values/foreign-text.ts'

/** A log of JSON lines that may be read on a terminal: texts of a source are escaped as `--json` does. */
export function jsonLog(level: string, stream: DestinationStream): Logger {
  const hooks = { streamWrite: printableLines }
  return pino({ level, base: { pid: process.pid }, hooks }, stream)
}
