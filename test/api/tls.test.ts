import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSourceClient } from '../../api/client.ts'
import { operations } from '../../api/operations.ts'
import { createPacer } from '../../api/pacer.ts'
import { tempDir } from '../parts/temp-dir.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.log("skipped: certificates of one's own need `openssl` on PATH")

describe.runIf(hasOpenssl)('a service with a certificate of its own authority', () => {
  const dir = tempDir(afterAll)
  const certFile = join(dir, 'cert.pem')
  let server: Server
  let port: number

  beforeAll(async () => {
    const keyFile = join(dir, 'key.pem')
    const subject = '-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1'
    const curve = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'
    const command = `req -x509 ${curve} ${subject}`.split(' ')
    const made = spawnSync('openssl', [...command, '-keyout', keyFile, '-out', certFile])
    expect(made.stderr.toString() + String(made.status)).toMatch(/0$/)
    const tls = { key: readFileSync(keyFile), cert: readFileSync(certFile) }
    server = createServer(tls, (_, response) => response.end('{"status":"OK"}'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function ping(caFile: string | null): Promise<unknown> {
    const client = createSourceClient({
      rootUrl: `https://127.0.0.1:${port}/v2`,
      auth: null,
      pacer: createPacer({ rate: null }),
      version: '0.1.0',
      env: {},
      caFile,
    })
    try {
      return await client.get(operations.ping, {})
    } finally {
      await client.close()
    }
  }

  test('is trusted with source.ca_file', async () => {
    expect(await ping(certFile)).toMatchObject({ kind: 'ok', json: { status: 'OK' } })
  })

  test('is not trusted without, and no repetition will help', async () => {
    await expect(ping(null)).rejects.toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      retryable: false,
      hint: expect.stringContaining('source.ca_file') as string,
      facts: { calls: 0 },
    })
  })
})
