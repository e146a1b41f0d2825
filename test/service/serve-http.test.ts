import { expect, test } from 'vitest'
import { startService } from '../../service/serve-http.ts'
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
  const server = await startService(echoService({ latencyMs: 100 }), { port: 0 })
  const underWay = fetch(`${server.url}/v2/ping`)
  await new Promise((resolve) => setTimeout(resolve, 30))
  await Promise.all([server.close(), server.close()])
  expect((await underWay).status).toBe(200)
  await expect(fetch(`${server.url}/v2/ping`)).rejects.toThrow()
})
