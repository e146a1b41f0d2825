import { onTestFinished } from 'vitest'
import { operations } from '../../api/operations.ts'
import type { AnswerSource } from '../../service/answer-source.ts'
import { createService, type Service, type ServiceOptions } from '../../service/app.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { startService } from '../../service/serve-http.ts'

/** A source that is served over a real socket, with what was asked of it. */
export interface Served {
  url: string
  /** Every request since the start, in the order of the answers. */
  log: readonly RequestEntry[]
  /** Ends the service; the source stays open. */
  close: () => Promise<void>
}

/** Options in which the service differs from the interface, open to all and without a limit. */
export type Otherwise = Partial<Omit<ServiceOptions, 'source' | 'log'>>

/** A service without a socket: the interface, open to all and without a limit, unless options say otherwise. */
export function plainService(
  source: AnswerSource,
  options: Partial<Omit<ServiceOptions, 'source'>> = {},
): Service {
  const all = Object.values(operations)
  return createService({ operations: all, keys: null, quota: null, ...options, source })
}

/** Serves a source on a free port of loopback. */
export async function serveSource(
  source: AnswerSource,
  otherwise: Otherwise = {},
): Promise<Served> {
  const log: RequestEntry[] = []
  const service = plainService(source, { ...otherwise, log: (entry) => log.push(entry) })
  const server = await startService(service, { port: 0 })
  return { url: server.url, log, close: () => server.close() }
}

/** Serves a source until the test ends, and closes the source with it. */
export async function serveInTest(source: AnswerSource, otherwise?: Otherwise): Promise<Served> {
  const served = await serveSource(source, otherwise)
  onTestFinished(async () => {
    await served.close()
    await source.close()
  })
  return served
}
