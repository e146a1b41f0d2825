import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../../../api/operations.ts'
import { openTls } from '../../../cli/serve/open-tls.ts'
import { ownCertificate, type OwnCertificate } from '../../../cli/serve/own-certificate.ts'
import { startService } from '../../../service/serve-http.ts'
import { echoService } from '../../service/echo-service.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { processEffects } from '../../../cli/effects.ts'
import { openClient } from '../../parts/client-settings.ts'

const NOW_MS = Date.now()
const DAY_MS = 86_400_000
const dir = tempDir(afterAll)
let own: OwnCertificate

beforeAll(async () => {
  own = await ownCertificate(join(dir, 'tls'), '127.0.0.1', NOW_MS)
})
/** Asks ping over https, trusting one file or none, as the exporter does with source.ca_file. */
function ping(url: string, caFile: string | null): Promise<unknown> {
  return openClient(url, { caFile }).get(operations.ping, {})
}

describe('the certificate made here', () => {
  test.each(['127.0.0.1', 'localhost'])('is trusted by its file, for %s', async (host) => {
    const server = await startService(echoService(), { port: 0, tls: own })
    try {
      const url = `https://${host}:${server.port}`
      expect(server.url).toBe(`https://127.0.0.1:${server.port}`)
      expect(await ping(url, own.certFile)).toMatchObject({ kind: 'ok', json: { status: 'OK' } })
      // No repetition will help.
      await expect(ping(url, null)).rejects.toMatchObject({
        message: expect.stringContaining('certificate') as string,
        code: 'SOURCE_UNREACHABLE',
        retryable: false,
        hint: expect.stringContaining('source.ca_file') as string,
        facts: { calls: 0 },
      })
    } finally {
      await server.close()
    }
  })

  test('stays the same, so that clients need not be told again; its key is for the owner', async () => {
    const again = await ownCertificate(join(dir, 'tls'), 'localhost', NOW_MS + 300 * DAY_MS)
    expect(again).toEqual(own)
    const keyFile = own.certFile.replace(/crt$/, 'key')
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(dir, 'tls')).sort()).toEqual(['localhost.crt', 'localhost.key'])
  })

  test('is made anew a month before it ends, when it is broken, and for another address', async () => {
    const folder = join(dir, 'renewed')
    const first = await ownCertificate(folder, '127.0.0.1', NOW_MS)
    const later = await ownCertificate(folder, '127.0.0.1', NOW_MS + 340 * DAY_MS)
    expect(later.cert).not.toBe(first.cert)
    writeFileSync(later.certFile, 'no certificate')
    const mended = await ownCertificate(folder, '127.0.0.1', NOW_MS)
    expect(readFileSync(mended.certFile, 'utf8')).toBe(mended.cert)
    const elsewhere = await ownCertificate(folder, '192.0.2.7', NOW_MS)
    expect(elsewhere.certFile).not.toBe(mended.certFile)
  })
})

test('files of a certificate are taken as they are', async () => {
  const effects = { ...processEffects(), cwd: dir }
  writeFileSync(join(dir, 'given.crt'), own.cert)
  writeFileSync(join(dir, 'given.key'), own.key)
  const options = { tlsCert: 'given.crt', tlsKey: 'given.key' }
  expect(await openTls(effects, options, '127.0.0.1')).toEqual({
    tls: { cert: own.cert, key: own.key },
    certFile: null,
  })
})
