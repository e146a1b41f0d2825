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
  const isFile = target !== '-'
  const stream: Writable = isFile
    ? createWriteStream(resolve(effects.cwd, target), { flags: 'a' })
    : effects.stderr
  if (isFile) {
    await once(stream, 'open').catch((cause: unknown) => {
      throw notWritableError(target, cause)
    })
    // A full disk must not end a service.
    stream.on('error', () => undefined)
  }
  return {
    write: (entry) => void stream.write(`${lineOf(entry)}\n`),
    close: () =>
      isFile ? new Promise((closed) => void stream.end(() => closed())) : Promise.resolve(),
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
