import { expect, test } from 'vitest'
import lock from '../../package-lock.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }
import { ARROWS } from '../arrows.ts'
import { isThere } from '../docs/page-text.ts'
import { importsOf, sourceFiles } from '../imports-of.ts'

const scripts: Record<string, string> = manifest.scripts

test('pins every dependency to one version', () => {
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-r\.\d+)?$/.test(version))).toEqual([])
})

test('an installed package has the modules that its files import, and no others', () => {
  // As tsconfig.build.json has it; types count too, since declarations are shipped.
  const names = Object.keys(ARROWS)
    .flatMap(sourceFiles)
    .flatMap(importsOf)
    .map(({ target }) => /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0] ?? '')
    .filter((name) => !name.startsWith('.') && !name.startsWith('node:'))
  const imported = [...new Set(names)].toSorted()
  expect(imported.length).toBeGreaterThan(10)
  expect(Object.keys(manifest.dependencies).toSorted()).toEqual(imported)
})

test('the lock file knows the same dependencies, and what is for development only', () => {
  const root = lock.packages['']
  expect(root.dependencies).toEqual(manifest.dependencies)
  expect(root.devDependencies).toEqual(manifest.devDependencies)
  const packages: Readonly<Record<string, object>> = lock.packages
  const isDev = (name: string): boolean => 'dev' in (packages[`node_modules/${name}`] ?? {})
  expect(Object.keys(manifest.dependencies).filter(isDev)).toEqual([])
  // Nothing that is shipped needs these.
  expect(['oxlint', 'vitest'].filter((name) => !isDev(name))).toEqual([])
})

test('brings its own Node 24, and says of each install script whether it may run', () => {
  expect(manifest.devDependencies.node).toMatch(/^24\./)
  expect(manifest.allowScripts).toEqual({ node: true, protobufjs: false, '@swc/core': false })
  const withScript = Object.entries<object>(lock.packages)
    .filter(([, entry]) => 'hasInstallScript' in entry)
    .map(([folder]) => folder.split('node_modules/').at(-1)!)
  expect(withScript.toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted())
})

test('has the scripts that people and machines call, and files behind them', () => {
  const names = ['demo', 'test', 'check', 'lint', 'fmt', 'docs', 'lock', 'bench', 'prepack']
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names))
  // A script finds the locked Node only when an earlier process has installed it: of those that come first in a
  // clone, each ends in the installation alone.
  const first = (name: string): string => {
    const line = scripts[`pre${name}`] ?? ''
    const next = /^npm run --silent (\S+)$/.exec(line)?.[1]
    return next === undefined ? line : first(next)
  }
  for (const name of ['demo', 'test', 'test:kills', 'bench', 'bundle'])
    expect(first(name)).toBe('node bin/ensure-installed.mjs')
  const run = Object.values(scripts).flatMap((line) => line.match(/(?<=node )\S+/g) ?? [])
  expect(run.filter((path) => !isThere(path))).toEqual([])
})
