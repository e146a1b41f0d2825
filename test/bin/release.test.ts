import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import lock from '../../package-lock.json' with { type: 'json' }
import { REPOSITORY } from '../package/place-package.ts'
import { runIn } from '../package/try-ci.ts'

const RELEASE = [process.execPath, 'bin/release.mjs']

interface Sbom {
  components: { name: string; version: string; licenses: unknown[] }[]
}

test('the SBOM has each package that is shipped, with a licence that is allowed, and no other', async () => {
  const { exitCode, stdout, stderr } = await runIn(REPOSITORY, [...RELEASE, '--sbom'])
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const { components } = JSON.parse(stdout) as Sbom
  expect(components.filter(({ licenses }) => licenses.length !== 1)).toEqual([])
  const shipped = Object.entries<{ version?: string; dev?: boolean }>(lock.packages)
    .filter(([folder, { dev }]) => folder !== '' && dev !== true)
    .map(([folder, { version }]) => `${folder.split('node_modules/').at(-1)}@${version}`)
  expect(components.map(({ name, version }) => `${name}@${version}`).toSorted()).toEqual(
    [...new Set(shipped)].toSorted(),
  )
})

test.each([
  { licence: 'AGPL-3.0', words: ['--sbom'], says: 'left-pad@1.0.0: AGPL-3.0' },
  { licence: undefined, words: ['--sbom'], says: 'left-pad@1.0.0: none' },
  { licence: 'MIT', words: ['0.1'], says: '0.1 is none after 0.1.0' },
  { licence: 'MIT', words: ['0.1.0', '--dry-run'], says: '0.1.0 is none after 0.1.0' },
  { licence: 'MIT', words: ['0.2.0', '--dry-run'], says: 'The tree is not clean' },
])('a release with $words and a licence $licence is refused', async ({ licence, words, says }) => {
  const root = await mkdtemp(join(tmpdir(), 'coinlake-release-'))
  onTestFinished(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'bin'))
  for (const file of ['release.mjs', 'npm.mjs'])
    await copyFile(join(REPOSITORY, 'bin', file), join(root, 'bin', file))
  const manifest = JSON.stringify({
    name: 'coinlake',
    version: '0.1.0',
    dependencies: { 'left-pad': '1.0.0' },
  })
  const packages = {
    'node_modules/left-pad': { version: '1.0.0', license: licence },
    'node_modules/tool': { version: '1.0.0', license: 'AGPL-3.0', dev: true },
  }
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  await writeFile(join(root, 'package.json'), manifest)
  const { exitCode, stderr } = await runIn(root, [...RELEASE, ...words])
  expect(stderr).toContain(says)
  expect(exitCode).toBe(1)
  expect(await readFile(join(root, 'package.json'), 'utf8')).toBe(manifest)
})
