import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import lock from '../../package-lock.json' with { type: 'json' }
import { REPOSITORY } from '../package/place-package.ts'
import { runIn } from '../package/try-ci.ts'

const RELEASE = [process.execPath, 'bin/release.mjs']

test('each package that is shipped has a licence that is allowed, and stands in the list', async () => {
  const { exitCode, stdout, stderr } = await runIn(REPOSITORY, [...RELEASE, '--licences'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const [head, ...lines] = stdout.trim().split('\n')
  expect(head).toBe('package,version,licence')
  expect(lines).toContain(`zod,${lock.packages['node_modules/zod'].version},MIT`)
  expect(lines.join('\n')).not.toContain('vitest')
})

test.each([
  { licence: 'AGPL-3.0', words: ['--licences'], says: 'left-pad@1.0.0: AGPL-3.0' },
  { licence: undefined, words: ['--licences'], says: 'left-pad@1.0.0: none' },
  { licence: 'MIT', words: ['0.1'], says: '0.1 is none after 0.1.0' },
  { licence: 'MIT', words: ['0.1.0', '--dry-run'], says: '0.1.0 is none after 0.1.0' },
  { licence: 'MIT', words: ['0.2.0', '--dry-run'], says: 'The tree is not clean' },
])('a release with $words and a licence $licence is refused', async ({ licence, words, says }) => {
  const root = await mkdtemp(join(tmpdir(), 'coinlake-release-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'bin'))
  for (const file of ['release.mjs', 'npm.mjs'])
    await copyFile(join(REPOSITORY, 'bin', file), join(root, 'bin', file))
  const packages = {
    '': { name: 'coinlake' },
    'node_modules/left-pad': { version: '1.0.0', license: licence },
    'node_modules/tool': { version: '1.0.0', license: 'AGPL-3.0', dev: true },
  }
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages }))
  await writeFile(join(root, 'package.json'), JSON.stringify({ version: '0.1.0' }))
  const { exitCode, stderr } = await runIn(root, [...RELEASE, ...words])
  expect(stderr).toContain(says)
  expect(exitCode).toBe(1)
  expect(await readFile(join(root, 'package.json'), 'utf8')).toBe('{"version":"0.1.0"}')
})
