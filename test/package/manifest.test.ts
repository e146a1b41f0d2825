import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { isThere } from '../docs/page-text.ts'

const scripts: Record<string, string> = manifest.scripts

test('says what it is and where it runs', () => {
  expect(manifest).toMatchObject({
    name: 'coinlake',
    license: 'MIT',
    type: 'module',
    engines: { node: '>=22.19' },
    os: ['linux', 'darwin'],
    cpu: ['x64', 'arm64'],
    bin: { coinlake: 'bin/coinlake.js' },
  })
  expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/)
})

test('pins every dependency to one version', () => {
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-r\.\d+)?$/.test(version))).toEqual([])
})

test('brings its own Node 24, and says of each install script whether it may run', () => {
  expect(manifest.devDependencies.node).toMatch(/^24\./)
  expect(manifest.allowScripts).toEqual({ node: true, protobufjs: false, '@swc/core': false })
})

test('has the scripts that people and machines call, and files behind them', () => {
  const names = ['demo', 'test', 'check', 'lint', 'fmt', 'docs', 'lock', 'bench', 'prepack']
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names))
  // What is run first in a clone installs what it needs.
  for (const name of ['demo', 'test']) expect(scripts[`pre${name}`]).toMatch(/ensure-installed/)
  const run = Object.values(scripts).flatMap((line) => line.match(/(?<=node )\S+/g) ?? [])
  expect(run.filter((path) => !isThere(path))).toEqual([])
})

test('types come first in every export that has them', () => {
  for (const target of Object.values(manifest.exports)) {
    if (typeof target === 'string') expect(isThere(target)).toBe(true)
    else expect(Object.keys(target)[0]).toBe('types')
  }
})
