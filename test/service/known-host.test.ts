import { connect } from 'node:net'
import { beforeEach, expect, test } from 'vitest'
import type { RequestEntry } from '../../service/request-log.ts'
import { serveEcho } from './echo-service.ts'

let entries: RequestEntry[] = []
beforeEach(() => {
  entries = []
})

/** Sends bytes as they are and takes everything until the service closes the connection. */
async function say(text: string): Promise<{ status: number; head: string; body: string }> {
  const url = await serveEcho({ log: (entry) => entries.push(entry) }, ['data.example.org'])
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body }
}

const CLOSE = 'Connection: close\r\n\r\n'

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['a path that never ends', `GET /v2/ping?a=${'a'.repeat(70_000)} HTTP/1.1\r\n${CLOSE}`, 431],
  ['no path', `OPTIONS * HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`, 400],
])('%s is refused', async (_, text, expected) => {
  expect((await say(text)).status).toBe(expected)
})

test.each([
  ['no Host', `GET /v2/coins/list HTTP/1.1\r\n${CLOSE}`],
  ...[
    'localhost',
    'LOCALHOST.:8400',
    '127.0.0.1:8400',
    '127.1.2.3',
    '[::1]:80',
    'a.localhost',
    'data.example.org',
  ].map((host) => [`the Host ${host}`, `GET /v2/coins/list HTTP/1.1\r\nHost: ${host}\r\n${CLOSE}`]),
  ['HTTP/1.0', 'GET /v2/coins/list HTTP/1.0\r\n\r\n'],
  [
    'a whole URL',
    `GET http://elsewhere.example/v2/coins/list HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`,
  ],
  ['dots in the path', `GET /v2/exchanges/../coins/list HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`],
  ['a body', `GET /v2/coins/list HTTP/1.1\r\nContent-Length: 2\r\n${CLOSE.trimEnd()}\r\n\r\n{}`],
])('%s does not matter', async (_, text) => {
  const { status, body } = await say(text)
  expect([status, JSON.parse(body)]).toMatchObject([200, { operation: 'coins/list' }])
})

test.each([
  'evil.example',
  'evil.example:8400',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'evil.example@localhost',
  'localhost/evil.example',
  '[::1]evil.example',
  '192.168.1.5',
  'a b',
  '',
])('asked as %s a service on loopback says that it is another', async (host) => {
  const { status, body } = await say(`GET /v2/coins/list HTTP/1.1\r\nHost: ${host}\r\n${CLOSE}`)
  expect([status, body]).toEqual([421, expect.stringContaining('--allow-host')])
  expect(entries.map((entry) => entry.status)).toEqual([421])
})

test.each(['TRACE', 'PROPFIND', 'QUERY'])('%s is 405', async (method) => {
  const { status, head } = await say(`${method} /v2/ping HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`)
  expect(status).toBe(405)
  expect(head).toContain('allow: get, head')
})

test('names of JavaScript objects are names like any other', async () => {
  const { status, body } = await say(
    `GET /v2/coins/list?__proto__=1&__proto__=2&constructor=3 HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`,
  )
  expect([status, body]).toEqual([
    400,
    expect.stringContaining('Unknown parameter \\"__proto__\\"'),
  ])
})
