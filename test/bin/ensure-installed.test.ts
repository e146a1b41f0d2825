import { copyFile, mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../package/place-package.ts'
import { runIn } from '../package/try-ci.ts'
import { tempDir } from '../parts/temp-dir.ts'

const LOCKED = {
  '': {},
  'node_modules/zod': { version: '4.0.0' },
  'node_modules/for-mac': { version: '1.0.0', optional: true },
}
const INSTALLED = {
  'node_modules/zod': { version: '4.0.0' },
  'node_modules/by-hand': { version: '0.1.0' },
}

/**
 * A clone in which npm has installed some packages (null: nothing yet), and then runs no more but notes
 * how it was called.
 *
 * @returns a call of ensure-installed: its end, and the arguments of each npm that it ran
 */
async function makeClone(installed: object | null, npmExitCode = 0) {
  const root = tempDir()
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  await put('package-lock.json', JSON.stringify({ packages: LOCKED }))
  if (installed !== null) {
    await put('node_modules/node/bin/node', '')
    await put('node_modules/.package-lock.json', JSON.stringify({ packages: installed }))
  }
  await put(
    'npm.cjs',
    `require('fs').appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n'); process.exit(${npmExitCode})`,
  )
  for (const file of ['ensure-installed.mjs', 'npm.mjs']) {
    await put(`bin/${file}`, '')
    await copyFile(join(REPOSITORY, 'bin', file), join(root, 'bin', file))
  }
  const env = { ...process.env, npm_execpath: join(root, 'npm.cjs') }
  return {
    root,
    ensure: async () => ({
      ...(await runIn(root, [process.execPath, 'bin/ensure-installed.mjs'], env)),
      calls: await readFile(join(root, 'calls'), 'utf8').catch(() => ''),
    }),
  }
}

const CI = 'ci --no-audit --no-fund --loglevel=error\n'

test('what is locked and there is not installed again, however old it is', async () => {
  const clone = await makeClone(INSTALLED)
  await utimes(join(clone.root, 'node_modules/.package-lock.json'), 0, 0)
  expect(await clone.ensure()).toEqual({ exitCode: 0, stdout: '', stderr: '', calls: '' })
})

test.each([
  ['nothing is there', null],
  ['a package is missing', {}],
  ['a package has another version', { ...INSTALLED, 'node_modules/zod': { version: '3.9.9' } }],
  [
    'an optional package has another version',
    { ...INSTALLED, 'node_modules/for-mac': { version: '0.9.0' } },
  ],
])('npm ci when %s', async (_, installed) => {
  const { exitCode, calls } = await (await makeClone(installed)).ensure()
  expect({ exitCode, calls }).toEqual({ exitCode: 0, calls: CI })
})

test('an npm ci that fails ends it, with what to do', async () => {
  const { exitCode, stderr, calls } = await (await makeClone(null, 7)).ensure()
  expect({ exitCode, calls }).toEqual({ exitCode: 7, calls: CI })
  expect(stderr).toContain('npm run lock')
})

test('a lock with marks of a merge goes to npm, which says where', async () => {
  const clone = await makeClone(INSTALLED)
  await writeFile(join(clone.root, 'package-lock.json'), '<<<<<<< ours\n')
  expect((await clone.ensure()).calls).toBe(CI)
})
