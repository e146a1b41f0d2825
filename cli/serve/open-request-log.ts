import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { printableJson } from '../../config/values/foreign-text.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import type { Effects } from '../effects.ts'
import { notWritableError } from '../query/output.ts'

/** The log of requests, one JSON object a line. */
export interface RequestLog {
  write: (entry: RequestEntry) => void
  close: () => Promise<void>
}

/** Appends to a file, or to stderr for `-`, because stdout has only the URL. @throws SinkError OUTPUT_NOT_WRITABLE */
export async function openRequestLog(effects: Effects, target: string): Promise<RequestLog> {
  const writeTo = (stream: Writable) => (entry: RequestEntry) =>
    void stream.write(`${lineOf(entry)}\n`)
  if (target === '-') return { write: writeTo(effects.stderr), close: () => Promise.resolve() }
  const file = createWriteStream(resolve(effects.cwd, target), { flags: 'a' })
  await once(file, 'open').catch((cause: unknown) => {
    throw notWritableError(target, cause)
  })
  // A full disk must not end a service.
  file.on('error', () => undefined)
  return {
    write: writeTo(file),
    close: () => new Promise((closed) => void file.end(() => closed())),
  }
}

function lineOf({ atMs, durationMs, fault, ...entry }: RequestEntry): string {
  return printableJson({
    at: new Date(atMs).toISOString(),
    ...entry,
    duration_ms: Math.round(durationMs * 10) / 10,
    ...(fault === undefined
      ? {}
      : { fault: fault instanceof Error ? fault.message : JSON.stringify(fault) }),
  })
}
