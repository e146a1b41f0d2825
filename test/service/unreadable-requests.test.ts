import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { RequestEntry } from '../../service/request-log.ts'
import { answerUnreadable } from '../../service/unreadable-requests.ts'
import { echoService, serveEcho } from './echo-service.ts'

let entries: RequestEntry[] = []
beforeEach(() => {
  entries = []
})

/** Sends bytes as they are and takes everything until the service closes the connection. */
async function say(text: string): Promise<{ status: number; head: string; body: string }> {
  const url = await serveEcho({ log: (entry) => entries.push(entry) }, ['data.example.org'])
  const answer = await answerTo(Number(new URL(url).port), text)
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body }
}

async function answerTo(port: number, text: string): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

const CLOSE = 'Connection: close\r\n\r\n'

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['a header without a name', `GET /v2/ping HTTP/1.1\r\n: x\r\n${CLOSE}`, 400],
  [
    'a header that never ends',
    `GET /v2/ping HTTP/1.1\r\nX: ${'a'.repeat(70_000)}\r\n${CLOSE}`,
    431,
  ],
  ['a path that never ends', `GET /v2/ping?a=${'a'.repeat(70_000)} HTTP/1.1\r\n${CLOSE}`, 431],
  ['no path', `OPTIONS * HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`, 400],
  ['a path with a backslash', `GET /v2\\ping HTTP/1.1\r\nHost: localhost\r\n${CLOSE}`, 400],
])(
  '%s is answered as everything else: an error, three headers, JSON',
  async (_, text, expected) => {
    const { status, head, body } = await say(text)
    expect(status).toBe(expected)
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['error'])
    for (const name of ['limit', 'remaining', 'reset']) {
      expect(head).toMatch(new RegExp(`^x-ratelimit-${name}: \\d+$`, 'm'))
    }
    expect(head).toMatch(/^content-type: application\/json; charset=utf-8$/m)
    expect(entries.map((entry) => entry.status)).toEqual([expected])
  },
)

test.each([1, 2])(
  '%d good requests before a bad one are answered, then all is closed',
  async (good) => {
    const url = await serveEcho({ latencyMs: 20, log: (entry) => entries.push(entry) })
    const request = 'GET /v2/coins/list HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const answer = await answerTo(Number(new URL(url).port), `${request.repeat(good)}hello\r\n\r\n`)
    expect(answer.match(/HTTP\/1\.1 \d+|"operation":"[^"]+"/g)).toEqual(
      Array.from({ length: good }, () => ['HTTP/1.1 200', '"operation":"coins/list"']).flat(),
    )
    expect(entries.map(({ status }) => status)).toEqual(Array.from({ length: good }, () => 200))
  },
)

test('a bad request that goes on behind a good one is listened to once', async () => {
  const warned = vi.spyOn(process, 'emitWarning')
  const url = await serveEcho({ latencyMs: 300 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET /v2/coins/list HTTP/1.1\r\nHost: localhost\r\n\r\n')
  for (let chunk = 0; chunk < 20; chunk += 1) {
    await sleep(5)
    socket.write('hello\r\n\r\n')
  }
  socket.resume()
  await once(socket, 'close')
  expect(warned).not.toHaveBeenCalled()
})

test.each([
  [
    'half a request',
    'GET /v2/ping HTTP/1.1\r\nHost: loc',
    /^HTTP\/1.1 408 [^]*"error":.*in time/,
    [408],
  ],
  ['no byte', '', /^$/, []],
])('%s, and then nothing', async (_, text, answer, statuses) => {
  const service = echoService({ log: (entry) => entries.push(entry) })
  const server = createServer({ headersTimeout: 500, connectionsCheckingInterval: 50 })
  server.on('clientError', (error, socket) => answerUnreadable(service, error, socket))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  expect(await answerTo((server.address() as AddressInfo).port, text)).toMatch(answer)
  expect(entries.map(({ status }) => status)).toEqual(statuses)
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
  ['an expectation', `GET /v2/coins/list HTTP/1.1\r\nExpect: much\r\n${CLOSE}`],
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
