import { pino, type DestinationStream, type Logger } from 'pino'
import { printableLines } from '../../config/values/foreign-text.ts'

/** A log of JSON lines. Foreign text is escaped as by `--json`, because a terminal may show the log. */
export function jsonLog(level: string, stream: DestinationStream): Logger {
  const hooks = { streamWrite: printableLines }
  // Temporal's lines call their error `error`. Without a serializer an Error is `{}` in JSON.
  const serializers = { error: pino.stdSerializers.err }
  return pino({ level, base: { pid: process.pid }, hooks, serializers }, stream)
}
