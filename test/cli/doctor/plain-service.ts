import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '../../parts/listen.ts'

/** The answers of a service; each is a way in which a source can be in order or not. */
export interface PlainAnswers {
  /** The only key that is taken; absent = any. */
  key?: string
  /** How far the service's clock is from `nowMs`. */
  skewMs?: number
  nowMs: number
  /** The answer of `ping`. Default: as the interface has it. */
  ping?: string
  /** A served warehouse may have none. */
  hasCurrencies?: false
  /** Instead of every answer. */
  always?: { status: number; body: string; headers?: Record<string, string> }
}

/** Answers `ping` and the list of currencies on loopback, until the test ends. */
export async function plainService(
  answers: PlainAnswers,
): Promise<{ url: string; calls(): number }> {
  let calls = 0
  const url = await listen((request, response) => {
    calls += 1
    answer(request, response, answers)
  })
  return { url, calls: () => calls }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { key, nowMs, skewMs = 0, ping = '{"status":"OK"}', hasCurrencies, always }: PlainAnswers,
): void {
  const headers = {
    'content-type': 'application/json',
    date: new Date(nowMs + skewMs).toUTCString(),
    'x-ratelimit-limit': '6000',
    'x-ratelimit-remaining': '5999',
    'x-ratelimit-reset': '60',
  }
  if (always !== undefined) {
    response.writeHead(always.status, { ...headers, ...always.headers }).end(always.body)
  } else if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
    response.writeHead(401, headers).end('{"error":"invalid API key"}')
  } else if (request.url?.endsWith('/ping') === true) {
    response.writeHead(200, headers).end(ping)
  } else if (hasCurrencies === false) {
    response.writeHead(404, headers).end('{"error":"not found: this service has no data of it"}')
  } else {
    response.writeHead(200, headers).end('["usd","btc"]')
  }
}
