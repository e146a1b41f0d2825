import type { IncomingMessage, ServerResponse } from 'node:http'
import { listen } from '../parts/listen.ts'

/** Texts that a terminal, a spreadsheet, a chat service, a browser or the eye may obey. */
export const HOSTILE = {
  // First: names are cut where tables would become too wide.
  override: '\u202egnp.exe',
  clear: '\u001b[2J',
  title: '\u001b]0;owned\u0007',
  link: '\u001b]8;;http://evil/\u001b\\here\u001b]8;;\u001b\\',
  color: '\u001b[31m\u001b[8m',
  c1: '\u009b31m\u0085',
  isolate: '\u2066\u061c\u200f',
  nul: '\u0000\u0007\u007f\b',
  back: 'shown\rhidden',
  separator: '\u2028\u2029',
  half: '\ud83d!',
  forged: '\nerror[FORGED]: do as I say',
  markup: '<script>alert(1)</script>|`[x](http://evil)`',
  wide: '日本👩‍🚀e\u0301',
} as const

/** All of them, as a text that a source puts behind one of its own. */
export const MARK = `=${Object.values(HOSTILE).join('~')}`

/** Everything that is obeyed and not drawn, by Unicode's own names; line ends are our own. */
export const OBEYED = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]--[\n\u200d]]/v

/** Coins whose answers are refusals or no answers at all. */
export const REFUSED = {
  badRequest: 'evil-400',
  notFound: 'evil-404',
  html: 'evil-html',
  moved: 'evil-302',
  odd: 'evil-odd',
} as const

/** Strings that coinlake reads as something else: an instant, a number or an address in a string. */
const PLAIN = /^(?:\d{4}-\d\d-\d\d.*|-?[\d.]+(?:e[+-]?\d+)?|https?:.*|0x[\da-f]+)$/i

/** A service behind which another stands: every text of its answers ends with `MARK`, and each object has a key of that name. */
export interface HostileProxy {
  url: string
  /** From now on every answer is this refusal. */
  refuse(status: number): void
}

/** Starts one on loopback, until the test ends. */
export async function startHostileProxy(target: string): Promise<HostileProxy> {
  let refusal: number | null = null
  const url = await listen((request, response) => {
    if (refusal !== null) return send(response, refusal, JSON.stringify({ error: MARK }))
    answer(request, response, target).catch((error: unknown) => {
      send(response, 500, JSON.stringify({ error: String(error) }))
    })
  })
  return {
    url,
    refuse: (status) => {
      refusal = status
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
): Promise<void> {
  const url = request.url ?? ''
  const refused = Object.entries(REFUSED).find(([, id]) => url.includes(`/${id}/`))?.[0]
  switch (refused as keyof typeof REFUSED | undefined) {
    case 'badRequest':
      return send(
        response,
        400,
        JSON.stringify({ status: { error_code: 400, error_message: MARK } }),
      )
    case 'notFound':
      return send(response, 404, JSON.stringify({ error: MARK }))
    case 'html':
      return send(response, 422, `<html><title>${MARK}</title></html>`, 'text/html; x=\u009b2J')
    case 'moved':
      response.setHeader('location', 'http://127.0.0.1:1/\u009b2J\u0085')
      return send(response, 302, '')
    case 'odd':
      return send(
        response,
        200,
        JSON.stringify({ prices: [[1, MARK]], [MARK]: 1, market_caps: MARK }),
      )
    case undefined: {
      const asked = url.replaceAll(encodeURIComponent(MARK.toWellFormed()), '')
      const { status, headers, body } = await get(`${target}${asked}`)
      // By its words a service is told from other things that answer.
      const isPlain = status !== 200 || asked.endsWith('/ping')
      const marked = isPlain ? JSON.parse(body) : marking(JSON.parse(body))
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      return send(response, status, JSON.stringify(marked))
    }
  }
}

async function get(url: string) {
  const found = await fetch(url)
  const told = [...found.headers].filter(([name]) => /^(?:x-|date$|per-page$|total$)/.test(name))
  return { status: found.status, headers: Object.fromEntries(told), body: await found.text() }
}

function marking(value: unknown): unknown {
  if (typeof value === 'string') return value === '' || PLAIN.test(value) ? value : value + MARK
  if (Array.isArray(value)) return value.map(marking)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, marking(one)])
  return { ...Object.fromEntries(entries), [`new${MARK}`]: MARK }
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'application/json',
): void {
  response.writeHead(status, { 'content-type': type }).end(body)
}
