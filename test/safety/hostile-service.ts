import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '../parts/listen.ts'

/** Ids that would be a path, a statement, an option or a page if anybody took them for one. */
export const HOSTILE_IDS = [
  '../../../outside',
  '..',
  '/etc/passwd',
  "a'; DROP TABLE coins; --",
  'b"; DELETE FROM market_chart; --',
  "$$' || (SELECT 1) || '",
  '%2e%2e%2fup',
  '<script>alert(1)</script>',
  '--help',
  'new\nline',
  '\u202Egnp.exe',
  `long-${'x'.repeat(1_500)}`,
] as const

/** Ids whose answers are refusals that repeat the request's key. */
export const TELLTALE_IDS = { notFound: 'telltale-404', broken: 'telltale-400' } as const

/** A service that means ill: its ids are hostile, and its refusals repeat the caller's key. */
export interface HostileService {
  url: string
  /** Whether each request carried the key. */
  requests: readonly { path: string; hasKey: boolean }[]
}

const HOUR_MS = 3_600_000
const THROTTLED_ONCE = 'coins/list'

/** Starts one on loopback, until the test ends. `key` is what the caller is expected to send. */
export async function startHostileService(key: string): Promise<HostileService> {
  const requests: { path: string; hasKey: boolean }[] = []
  let isThrottled = false
  const url = await listen((request, response) => {
    const sent = JSON.stringify(request.headers)
    requests.push({ path: request.url ?? '', hasKey: sent.includes(key) })
    const path = (request.url ?? '').replace(/^\/v2\//, '').replace(/\?.*/s, '')
    if (path === THROTTLED_ONCE && !isThrottled) {
      isThrottled = true
      const refusal = { error: `too many requests for key ${key}` }
      return send(response, 429, refusal, { 'retry-after': '1', 'x-echo': key })
    }
    answer(request, response, decodeURIComponent(path), key)
  })
  return { url, requests }
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  key: string,
): void {
  if (path.startsWith('ping')) return send(response, 200, { gecko_says: 'hello' })
  if (path === 'coins/list') {
    const ids = [...HOSTILE_IDS, ...Object.values(TELLTALE_IDS)]
    return send(
      response,
      200,
      ids.map((id) => ({ id, symbol: id.slice(0, 5), name: id })),
    )
  }
  if (path.includes(TELLTALE_IDS.notFound)) {
    return send(response, 404, { error: `coin not found; your key was ${key}` }, { 'x-echo': key })
  }
  if (path.includes(TELLTALE_IDS.broken)) {
    const header = JSON.stringify(request.headers)
    return send(response, 400, { status: { error_code: 400, error_message: `sent: ${header}` } })
  }
  const query = new URL(request.url ?? '', 'http://service').searchParams
  const [fromMs = 0, toMs = 0] = ['from', 'to'].map((name) => Number(query.get(name)) * 1000)
  const points = []
  for (let ms = Math.ceil(fromMs / HOUR_MS) * HOUR_MS; ms <= toMs; ms += HOUR_MS) {
    points.push([ms, 1.5])
  }
  send(response, 200, { prices: points, market_caps: points, total_volumes: points })
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const usual = {
    'content-type': 'application/json; charset=utf-8',
    'x-ratelimit-limit': '6000',
    'x-ratelimit-remaining': '5999',
    'x-ratelimit-reset': '60',
  }
  response.writeHead(status, { ...usual, ...headers }).end(JSON.stringify(body))
}
