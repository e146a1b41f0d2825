import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY } from '../package/place-package.ts'
import { type Ended, runIn, tryCi } from '../package/try-ci.ts'
import { tempDir } from '../parts/temp-dir.ts'
import { listen } from '../parts/listen.ts'

/** The contents of a registry: of each package its versions, and the manifest that all of them share. */
type Shelf = Record<string, { versions: string[]; manifest: object }>

const COMPILER = {
  compiler: {
    versions: ['2.0.0'],
    manifest: { optionalDependencies: { '@compiler/linux': '2.0.0', '@compiler/mac': '2.0.0' } },
  },
  '@compiler/linux': {
    versions: ['1.0.0', '2.0.0'],
    manifest: { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  },
} satisfies Shelf
const MAC = { os: ['darwin'], cpu: ['arm64'] }

/** A registry on loopback; `shelf` may change while it stands. */
async function startRegistry(shelf: Shelf): Promise<string> {
  const url = await listen((request, response) => {
    const name = decodeURIComponent(request.url!.slice(1))
    const kept = shelf[name]
    if (kept === undefined) {
      response.writeHead(404).end('{}')
      return
    }
    const integrity = `sha512-${createHash('sha512').update(name).digest('base64')}`
    const dist = { integrity, tarball: `http://registry.example/${name}.tgz` }
    const versions = Object.fromEntries(
      kept.versions.map((version) => [version, { name, version, ...kept.manifest, dist }]),
    )
    const body = { name, 'dist-tags': { latest: kept.versions.at(-1) }, versions }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return `${url}/`
}

/** A clone that depends on the compiler, and has the lock that npm writes for it. */
async function makeClone(registry: string) {
  const root = tempDir()
  await mkdir(join(root, 'bin'))
  for (const file of ['complete-lock.mjs', 'npm.mjs'])
    await copyFile(join(REPOSITORY, 'bin', file), join(root, 'bin', file))
  await copyFile(join(REPOSITORY, '.npmrc'), join(root, '.npmrc'))
  await writeFile(
    join(root, 'package.json'),
    JSON.stringify({ name: 'clone', version: '1.0.0', dependencies: { compiler: '2.0.0' } }),
  )
  // --prefer-online: what stands on the shelf now, not what npm keeps of it.
  const env = {
    ...process.env,
    npm_config_registry: registry,
    npm_config_cache: join(root, 'cache'),
    npm_config_prefer_online: 'true',
  }
  const file = join(root, 'package-lock.json')
  expect(await runIn(root, ['npm', 'install', '--package-lock-only'], env)).toMatchObject({
    exitCode: 0,
  })
  return {
    root,
    file,
    complete: (): Promise<Ended> => runIn(root, [process.execPath, 'bin/complete-lock.mjs'], env),
    entries: async () =>
      (JSON.parse(await readFile(file, 'utf8')) as { packages: Record<string, object> }).packages,
  }
}

test('an optional package that the registry has in another version only is locked by what is certain', async () => {
  const shelf: Shelf = { ...COMPILER, '@compiler/mac': { versions: ['1.9.0'], manifest: MAC } }
  const registry = await startRegistry(shelf)
  const clone = await makeClone(registry)
  expect(await tryCi(clone.root)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Missing: @compiler/mac'),
  })

  expect(await clone.complete()).toMatchObject({ exitCode: 0 })
  const entries = await clone.entries()
  expect(entries['node_modules/@compiler/mac']).toEqual({
    version: '2.0.0',
    ...MAC,
    optional: true,
  })
  expect(entries['node_modules/@compiler/linux']).toHaveProperty('integrity')
  expect(await tryCi(clone.root)).toMatchObject({ exitCode: 0 })

  const text = await readFile(clone.file, 'utf8')
  expect(text).not.toContain('http')
  delete shelf['@compiler/mac']
  expect(await clone.complete()).toMatchObject({ exitCode: 0 })
  expect(await readFile(clone.file, 'utf8')).toBe(text)

  // As soon as the registry has it, it is pinned by its content as every other.
  shelf['@compiler/mac'] = { versions: ['1.9.0', '2.0.0'], manifest: MAC }
  expect(await clone.complete()).toMatchObject({ exitCode: 0 })
  expect((await clone.entries())['node_modules/@compiler/mac']).toMatchObject({
    version: '2.0.0',
    ...MAC,
    optional: true,
    integrity: expect.any(String),
  })
})

test('of what the registry knows nothing, nothing is made up, and the lock stays', async () => {
  const registry = await startRegistry(COMPILER)
  const clone = await makeClone(registry)
  const before = await readFile(clone.file, 'utf8')
  const { exitCode, stderr } = await clone.complete()
  expect(exitCode).toBe(1)
  expect(stderr).toContain('Run this again with a registry that has @compiler/mac.')
  expect(await readFile(clone.file, 'utf8')).toBe(before)
})
