import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { judgeFault } from '../../../activities/fetch/judge-fault.ts'
import type { PageCalls } from '../../../activities/fetch/batch-time.ts'
import { askSource } from '../../../activities/fetch/ask-source.ts'
import { collectLostRequests } from '../../../activities/fetch/lost-requests.ts'
import { createSourceClient } from '../../../api/client.ts'
import { SourceRequestError } from '../../../api/errors.ts'
import { createPacer, type Pacer } from '../../../api/pacer.ts'
import { profiles } from '../../../config/profiles.ts'
import { freePort } from '../../../engine/server/free-port.ts'
import { freePageCalls } from './fetch-bench.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { listen } from '../../parts/listen.ts'
import { CLIENT_SETTINGS } from '../../parts/client-settings.ts'

interface Said {
  status?: number
  type?: string
  body?: string
  location?: string
}

const JSON_TYPE = 'application/json'
const PONG: Said = { body: '{"status":"OK"}' }

function say(response: ServerResponse, said: Said): void {
  const { status = 200, type = JSON_TYPE, body = '', location } = said
  response.writeHead(status, { 'content-type': type, ...(location ? { location } : {}) })
  response.end(body)
}

interface BenchOptions {
  pageCalls?: PageCalls
  /** Called with each request for a permit. */
  onPermit?: (wish: { mayUseReserve?: boolean }) => void
}

/** Asks one page of a real server as a fetch worker does, and collects what it noted as lost. */
async function bench(
  rootUrl: string,
  timeoutMs = 5_000,
  { pageCalls = freePageCalls(), onPermit }: BenchOptions = {},
) {
  const stageDir = tempDir()
  const free = createPacer({ rate: { calls: 1000, perMs: 1000 } })
  const acquire: Pacer['acquire'] = (wish) => {
    onPermit?.(wish ?? {})
    return free.acquire(wish)
  }
  const pacer: Pacer = { ...free, acquire }
  const settings = { ...CLIENT_SETTINGS, timeoutMs }
  const client = createSourceClient({ ...settings, rootUrl, auth: null, pacer })
  onTestFinished(() => client.close())
  const request = { sliceId: 's', operation: 'coins/list', params: {} } as const
  const ask = (): Promise<unknown> =>
    askSource({ runId: 'run', client, stageDir }, request, pageCalls, (answer) =>
      Promise.resolve(answer.json),
    )
  const lostCalls = async (): Promise<number> => {
    let calls = 0
    await collectLostRequests(stageDir, async (requests) => {
      for (const request of requests) calls += request.calls
    })
    return calls
  }
  return { client, pacer, ask, lostCalls }
}

async function serverOf(answer: (path: string) => Said) {
  const asked: string[] = []
  const url = await listen((request, response) => {
    const path = (request.url ?? '').replace('/v2/', '')
    asked.push(path)
    say(response, answer(path))
  })
  return { asked, ...(await bench(`${url}/v2`)) }
}

/** The address of a port that does this with each connection. */
async function portThat(takes: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer(takes).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`
}

test.for<[string, Said]>([
  ['a web page', { type: 'text/html', body: '<html><title>Shop</title></html>' }],
  ['a web page that is not there', { status: 404, type: 'text/html', body: '<html>' }],
  ['JSON of another kind', { body: '{"hello":"world"}' }],
  ['JSON that refuses', { status: 404, body: '{"message":"Not Found"}' }],
  ['another way of asking', { status: 405, body: '{"message":"POST only"}' }],
  ['a redirect to a login', { status: 302, location: 'https://login.invalid/' }],
])('%s: another service answers, told at the cost of a ping', async ([, said]) => {
  const { ask, asked, lostCalls } = await serverOf(() => said)
  await expect(ask()).rejects.toMatchObject({
    code: 'SOURCE_NOT_A_SERVICE',
    retryable: false,
    exitCode: 4,
    hint: expect.stringContaining('source.base_url'),
    message: expect.stringMatching(/no \/v2 market-data service answers at .+ \(.+\): GET .+ping$/),
  })
  expect(asked).toEqual(['coins/list', 'ping'])
  expect(await lostCalls()).toBe(2)
})

test('pages in flight share one ping', async () => {
  const { ask, asked, lostCalls } = await serverOf(() => ({ body: '{}' }))
  const ends = await Promise.allSettled([ask(), ask(), ask(), ask()])
  for (const end of ends) {
    expect(end).toMatchObject({ reason: { code: 'SOURCE_NOT_A_SERVICE' } })
  }
  expect(asked.filter((path) => path === 'ping')).toHaveLength(1)
  expect(await lostCalls()).toBe(5)
})

test.for(Object.values(profiles).map(({ name, ping }) => ({ name, ping })))(
  'a service of profile $name that does not know what is asked stays the service',
  async ({ ping }) => {
    const pong = { body: JSON.stringify({ [ping.field]: ping.equals ?? 'To the Moon!' }) }
    const { ask, asked } = await serverOf((path) =>
      path === 'ping' ? pong : { status: 404, body: '{"error":"coin not found"}' },
    )
    await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_NOT_FOUND', exitCode: 3 })
    await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_NOT_FOUND' })
    expect(asked).toEqual(['coins/list', 'ping', 'coins/list'])
  },
)

test('a failed ping is no verdict on a later run: another one is asked for', async () => {
  const url = await listen((request, response) => {
    asked.push(request.url!)
    say(response, request.url!.endsWith('ping') && !isBroken ? PONG : { status: 404, body: '{}' })
  })
  const asked: string[] = []
  let isBroken = true
  const { client } = await bench(`${url}/v2`)
  const fault = new SourceRequestError('not known', { code: 'SOURCE_NOT_FOUND', status: 404 })
  const judge = async (laterMs: number): Promise<string> =>
    (await judgeFault(client, fault, {}, performance.now() + laterMs)).code
  expect([await judge(0), await judge(30_000)]).toEqual(Array(2).fill('SOURCE_NOT_A_SERVICE'))
  isBroken = false
  expect([await judge(61_000), await judge(200_000)]).toEqual(Array(2).fill('SOURCE_NOT_FOUND'))
  expect(asked).toHaveLength(2)
})

test('a ping that must wait proves no service: the next fault asks for one again', async () => {
  const url = await listen((_, response) => say(response, { status: 404, body: '{}' }))
  const { client, pacer } = await bench(`${url}/v2`)
  const fault = new SourceRequestError('not known', { code: 'SOURCE_NOT_FOUND', status: 404 })
  pacer.throttle(Date.now() + 11_000)
  expect((await judgeFault(client, fault, {})).code).toBe('SOURCE_NOT_FOUND')
  vi.useFakeTimers({ now: Date.now() + 12_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  expect((await judgeFault(client, fault, {})).code).toBe('SOURCE_NOT_A_SERVICE')
})

test('a ping keeps the pageCalls of its page: the reserve, and the end of the run', async () => {
  const url = await listen((_, response) => say(response, { status: 404, body: '{}' }))
  const stopped = new AbortController()
  const taken: boolean[] = []
  const { ask } = await bench(`${url}/v2`, 5_000, {
    pageCalls: { ...freePageCalls(), furtherCallsStop: stopped.signal, mayUseReserve: true },
    onPermit: ({ mayUseReserve = false }) => {
      taken.push(mayUseReserve)
      if (taken.length === 1) stopped.abort(new Error('the run was stopped'))
    },
  })
  await expect(ask()).rejects.toThrow('the run was stopped')
  expect(taken).toEqual([true, true])
})

test('after a good answer no fault is doubted any more', async () => {
  let said: Said = { body: '[{}]' }
  const { ask, asked } = await serverOf(() => said)
  expect(await ask()).toEqual([{}])
  said = { type: 'text/html', body: '<html>' }
  await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_NOT_JSON', retryable: true })
  expect(asked).toEqual(['coins/list', 'coins/list'])
})

test.for<[string, Said, string]>([
  ['a key that is refused', { status: 401, body: '{"error":"invalid API key"}' }, 'SOURCE_AUTH'],
  ['trouble', { status: 503, body: '' }, 'SOURCE_UNAVAILABLE'],
])('%s says enough by itself', async ([, said, code]) => {
  const { ask, asked } = await serverOf(() => said)
  await expect(ask()).rejects.toMatchObject({ code })
  expect(asked).toEqual(['coins/list'])
})

test.for<[string, Said]>([
  ['is in trouble', { status: 503 }],
  ['refuses the key', { status: 401, body: '{"error":"no"}' }],
  ['says wait', { status: 429 }],
])('a ping that %s proves nothing: the fault itself is told', async ([, pong]) => {
  const { ask } = await serverOf((path) => (path === 'ping' ? pong : { body: '{}' }))
  await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_DATA' })
})

test('where nothing listens, nobody waits half a minute to hear it', async () => {
  const { ask, lostCalls } = await bench(`http://127.0.0.1:${await freePort()}/v2`)
  await expect(ask()).rejects.toMatchObject({
    code: 'SOURCE_UNREACHABLE',
    retryable: false,
    exitCode: 4,
    message: expect.stringMatching(/ECONNREFUSED\): GET http:[^ ]+coins\/list$/),
  })
  // A request that was never sent is no call.
  expect(await lostCalls()).toBe(0)
})

test('a port that takes connections and says nothing is no service', async () => {
  let connections = 0
  const url = await portThat((socket) => {
    connections += 1
    socket.destroy()
  })
  const { ask, lostCalls } = await bench(url)
  await expect(ask()).rejects.toMatchObject({
    code: 'SOURCE_UNREACHABLE',
    retryable: false,
    hint: expect.stringContaining('source.base_url'),
  })
  // Three tries of the page and of the ping.
  expect(connections).toBe(6)
  expect(await lostCalls()).toBe(6)
})

test('a service that is slow with its first answer is asked again', async () => {
  const url = await listen((request, response) => {
    if (request.url === '/v2/ping') say(response, PONG)
  })
  const { ask } = await bench(`${url}/v2`, 200)
  await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_TIMEOUT', retryable: true })
})

test('a port that never answers ends after the page and one ping', async () => {
  const { ask, lostCalls } = await bench(await portThat(() => undefined), 200)
  await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE', retryable: false })
  expect(await lostCalls()).toBe(2)
})

test('a service that goes away later is waited for', async () => {
  let isGone = false
  const server = createServer((_, response) =>
    isGone ? response.destroy() : say(response, { body: '[{}]' }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { ask } = await bench(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`)
  await ask()
  isGone = true
  server.close()
  server.closeAllConnections()
  await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE', retryable: true })
})

test('a service that answers a ping and nothing else is doubted once', async () => {
  const { ask, asked } = await serverOf((path) => (path === 'ping' ? PONG : { body: '{}' }))
  for (let i = 0; i < 3; i++) await expect(ask()).rejects.toMatchObject({ code: 'SOURCE_DATA' })
  expect(asked.filter((path) => path === 'ping')).toHaveLength(1)
})
