import { expect, test } from 'vitest'
import { openPort, startService } from '../../service/serve-http.ts'
import { echoService } from './echo-service.ts'

test('a taken port is a config error that names it; the first service goes on', async () => {
  const first = await startService(echoService(), { port: 0 })
  try {
    const second = startService(echoService(), { port: first.port })
    await expect(second).rejects.toMatchObject({
      code: 'SERVICE_PORT_TAKEN',
      exitCode: 2,
      message: expect.stringContaining(String(first.port)),
      hint: expect.stringContaining('--port'),
    })
    expect((await fetch(`${first.url}/v2/ping`)).status).toBe(200)
  } finally {
    await first.close()
  }
})

test.each([
  ['0.0.0.0', 'SERVICE_NEEDS_KEY'],
  ['192.0.2.1', 'SERVICE_NEEDS_KEY'],
])('an open service is not served on %s', async (host, code) => {
  await expect(startService(echoService(), { port: 0, host })).rejects.toMatchObject({ code })
})

test('close finishes the answer under way, then nobody listens; twice is once', async () => {
  const asked = Promise.withResolvers<void>()
  // A request reads the clock first, then waits.
  const nowMs = (): number => {
    asked.resolve()
    return Date.now()
  }
  const server = await startService(echoService({ latencyMs: 100, realClock: { nowMs } }), {
    port: 0,
  })
  const underWay = fetch(`${server.url}/v2/ping`)
  await asked.promise
  await Promise.all([server.close(), server.close()])
  expect((await underWay).status).toBe(200)
  await expect(fetch(`${server.url}/v2/ping`)).rejects.toThrow()
})

test('who asks before there is a service is answered by it, and no connection is reset', async () => {
  const port = await openPort({ port: 0 }, true)
  const asked = Array.from({ length: 7 }, () => fetch(`${port.url}/v2/ping`))
  const isAnswered = Promise.race(asked.map((one) => one.then(() => true)))
  const connected = new Promise((resolve) => setTimeout(resolve, 50, false))
  expect(await Promise.race([isAnswered, connected])).toBe(false)
  port.answerWith(echoService())
  const statuses = await Promise.all(asked.map(async (one) => (await one).status))
  expect(statuses).toEqual(asked.map(() => 200))
  await port.close()
})

test('a port that never gets a service is closed at once, with those who wait', async () => {
  const port = await openPort({ port: 0 }, true)
  const asked = fetch(`${port.url}/v2/ping`)
  const refused = expect(asked).rejects.toThrow()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await port.close()
  await refused
})
