import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fileKeyRing } from '../../../service/callers/file-key-ring.ts'
import { changeKeyFile } from '../../../service/callers/key-file.ts'
import { makeKey } from '../../../service/callers/make-key.ts'
import { echoService } from '../echo-service.ts'
import { tempDir } from '../../parts/temp-dir.ts'

let dir: string
let file: string

beforeEach(() => {
  dir = tempDir()
  file = join(dir, 'keys.json')
})
function addKey(name: string): string {
  const { key, record } = makeKey(name, null, Date.parse('2026-01-01T00:00:00Z'))
  changeKeyFile(file, (known) => [...known, record])
  return key
}

async function statusFor(service: ReturnType<typeof echoService>, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return (await service.app.request('/v2/ping', { headers })).status
}

test('a service that runs takes new keys and refuses revoked ones', async () => {
  const first = addKey('first')
  const service = echoService({ keys: fileKeyRing(file) })
  expect(await statusFor(service, first)).toBe(200)
  const second = addKey('second')
  changeKeyFile(file, (known) =>
    known.map((key) => (key.name === 'first' ? { ...key, revoked_at: key.created_at } : key)),
  )
  expect(await statusFor(service, first)).toBe(401)
  expect(await statusFor(service, second)).toBe(200)
})

test.each([
  ['broken', () => writeFileSync(file, '{')],
  ['gone', () => rmSync(file)],
])('a file that is %s accepts nobody, until it is whole again', async (_, spoil) => {
  const first = addKey('first')
  const service = echoService({ keys: fileKeyRing(file) })
  spoil()
  expect(await statusFor(service, first)).toBe(401)
  rmSync(file, { force: true })
  const again = addKey('again')
  expect(await statusFor(service, again)).toBe(200)
  expect(service.isOpen).toBe(false)
})
