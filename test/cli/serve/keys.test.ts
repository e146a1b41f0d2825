import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { fileKeyRing } from '../../../service/callers/file-key-ring.ts'
import { type Captured, runCaptured } from '../../parts/run-captured.ts'
import { tempDir } from '../../parts/temp-dir.ts'

let dir: string

beforeEach(() => {
  dir = tempDir()
})
const keys = (...argv: string[]): Promise<Captured> => runCaptured(['keys', ...argv], { cwd: dir })

test('create prints the key once; the file holds its hash, for the owner alone', async () => {
  const { exitCode, stdout, stderr } = await keys('create', 'alice', '--rate', '100/1m')
  expect(exitCode).toBe(0)
  const key = stdout.trim()
  // 256 bits in base64url.
  expect(key).toMatch(/^cl_[\w-]{43}$/)
  expect(stderr).not.toContain(key)
  const file = join(dir, 'coinlake-keys.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).not.toContain(key.slice(3))
  const ring = fileKeyRing(file)
  expect(ring.identify(key)).toMatchObject({ quota: { calls: 100, perMs: 60_000 } })
  expect(ring.identify(`${key}x`)).toBeNull()
  expect(ring.identify('')).toBeNull()
})

test('list shows names and limits and nothing that helps to guess a key', async () => {
  expect((await keys('list')).stderr).toContain('keys create')
  const { stdout: alice } = await keys('create', 'alice')
  await keys('create', 'bob of accounting', '--rate', '30/1s')
  await keys('revoke', 'alice')
  const { stdout } = await keys('list')
  expect(stdout).toMatch(
    /^id +name +rate +created +revoked\n[0-9a-f]{8} +alice +- +2026-01-15T12:00:00\.000Z +2026\S+\n\S+ +bob of accounting +30\/1s +\S+ +-\n$/,
  )
  const listed = JSON.parse((await keys('list', '--json')).stdout) as object[]
  expect(listed).toHaveLength(2)
  expect(JSON.stringify(listed)).not.toContain('sha256')
  expect(stdout).not.toContain(alice.trim())
})

test('a revoked name can be used again; revoke takes an id, too', async () => {
  await keys('create', 'alice')
  expect((await keys('create', 'alice')).stderr).toContain('error[KEYS]')
  await keys('revoke', 'alice')
  const made = JSON.parse((await keys('create', 'alice', '--json')).stdout) as {
    id: string
    key: string
  }
  const ring = fileKeyRing(join(dir, 'coinlake-keys.json'))
  expect(ring.identify(made.key)?.id).toBe(made.id)
  const revoked = await keys('revoke', made.id, '--json')
  expect(revoked.exitCode).toBe(0)
  expect(JSON.parse(revoked.stdout)).toMatchObject({
    id: made.id,
    revoked_at: '2026-01-15T12:00:00.000Z',
  })
  expect((await keys('revoke', 'alice')).stderr).toMatch(/error\[KEYS\].*alice/)
})

test.each([
  [['create'], 'KEYS', /needs a name/],
  [['create', ''], 'KEYS', /needs a name/],
  [['revoke'], 'KEYS', /needs a name/],
  [['revoke', 'nobody'], 'KEYS', /"nobody"/],
  [['list', 'alice'], 'KEYS', /takes no name/],
  [['list', '--rate', '1/1s'], 'KEYS', /--rate/],
  [['create', 'a\nb'], 'KEYS', /"a\\nb"/],
  [['create', 'n'.repeat(65)], 'KEYS', /at most 64/],
  [['create', 'x', '--rate', '0/1m'], 'SERVE_OPTION', /"0\/1m"/],
  [['create', 'x', '--keys', 'no/such/folder.json'], 'KEYS_FILE', /folder\.json/],
])('%j: %s', async (argv, code, says) => {
  const { exitCode, stdout, stderr } = await keys(...argv)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(`error[${code}]`)
  expect(stderr).toMatch(says)
})

test.each([
  ['no JSON', 'cl_secret', /is no JSON/],
  ['another shape', '{"version":1,"keys":[{"id":"a"}]}', /keys\.0/],
  ['a hash that is none', fileWith({ sha256: 'cl_secret' }), /sha256/],
  ['a rate that is none', fileWith({ rate: 'often' }), /rate.*500\/1m/],
  ['a later version', '{"version":2,"keys":[]}', /version/],
])('a file with %s is told, and left as it is', async (_, text, says) => {
  const file = join(dir, 'coinlake-keys.json')
  writeFileSync(file, text)
  for (const argv of [['list'], ['create', 'x'], ['revoke', 'x']]) {
    const { exitCode, stderr } = await keys(...argv)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(says)
    expect(stderr).not.toContain('cl_secret')
  }
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('two changes at once: the second is told to try again', async () => {
  writeFileSync(join(dir, 'coinlake-keys.json.draft'), '')
  const { exitCode, stderr } = await keys('create', 'x')
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(/error\[KEYS_BUSY\][\s\S]*\.draft/)
})

function fileWith(change: object): string {
  const record = {
    id: 'a',
    name: 'a',
    sha256: '0'.repeat(64),
    rate: null,
    created_at: '2026-01-01T00:00:00.000Z',
    revoked_at: null,
  }
  return JSON.stringify({ version: 1, keys: [{ ...record, ...change }] })
}
