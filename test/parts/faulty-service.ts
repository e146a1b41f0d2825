import { type IncomingHttpHeaders, request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { AnswerSource } from '../../service/answer-source.ts'
import { readFaults } from '../../service/faults/read-faults.ts'
import type { RequestEntry } from '../../service/request-log.ts'
import { type Otherwise, serveSource } from './serve-source.ts'

/** The bytes that a socket brought; `error`: no whole answer. */
export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
  error: string | null
}

/** A service with faults behind a real socket. */
export interface FaultyService {
  url: string
  /** Asks below /v2/. */
  ask: (path: string) => Promise<Reply>
  log: readonly RequestEntry[]
  /** The faults of the log, in its order; '' where an answer had none. */
  injected: () => string[]
}

/** Serves with the faults of a text as a file would hold it, until the test ends. */
export async function serveFaulty(
  source: AnswerSource,
  faults: string,
  otherwise: Otherwise = {},
): Promise<FaultyService> {
  const orders = faults === '' ? [] : readFaults('faults.yaml', faults, 1)
  const { url, log, close } = await serveSource(source, { faults: orders, ...otherwise })
  onTestFinished(close)
  return {
    url,
    ask: (path) => askSocket(`${url}/v2/${path}`),
    log,
    injected: () => log.map(({ injected }) => (injected ?? []).join('+')),
  }
}

/** node:http and a connection of its own: nothing is decompressed, normalised or retried on the way. */
export function askSocket(
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Reply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let [status, received]: [number, IncomingHttpHeaders] = [0, {}]
    const end = (error: string | null): void => {
      const bytes = Buffer.concat(chunks)
      const isPacked = received['content-encoding'] === 'gzip' && error === null
      const text = (isPacked ? gunzipSync(bytes) : bytes).toString()
      resolve({ status, headers: received, text, error })
    }
    const asked = request(url, { agent: false, headers, method }, (response) => {
      status = response.statusCode ?? 0
      received = response.headers
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => end(null))
      response.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    })
    asked.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    asked.end()
  })
}
