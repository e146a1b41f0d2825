import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ARROWS } from './arrows.ts'
import { importsOf, sourceFiles, type Import } from './imports-of.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function roomOf(found: Import): string | null {
  if (!found.target.startsWith('.')) return null
  const path = relative(root, resolve(root, dirname(found.file), found.target))
  return path.includes('/') ? (path.split('/')[0] ?? null) : null
}

describe.each(Object.entries(ARROWS))('%s', (room, allowed) => {
  const imports = sourceFiles(room).flatMap(importsOf)

  test('imports only from the rooms it may', () => {
    const wrong = imports.filter((found) => {
      const target = roomOf(found)
      return target !== null && target !== room && !allowed.includes(target)
    })
    expect(wrong.map(({ file, line, target }) => `${file}:${line} imports ${target}`)).toEqual([])
  })
})

test('workflows take only types from other rooms, and no Node builtins', () => {
  const imports = sourceFiles('workflows').flatMap(importsOf)
  const wrong = imports.filter((found) => {
    if (found.target.startsWith('node:')) return true
    const room = roomOf(found)
    return room !== null && room !== 'workflows' && !found.isTypeOnly
  })
  expect(wrong.map(({ file, line, target }) => `${file}:${line} imports ${target}`)).toEqual([])
})

test('no file imports itself by way of others, types included', () => {
  const files = Object.keys(ARROWS).flatMap(sourceFiles)
  const targets = new Map(
    files.map((file) => {
      const near = importsOf(file).filter(({ target, isLazy }) => target.startsWith('.') && !isLazy)
      return [file, new Set(near.map(({ target }) => join(dirname(file), target)))]
    }),
  )
  // Each round removes the files that import no remaining file. The files that remain at the end are in a circle of
  // imports, or lead into one.
  for (let before = -1; before !== targets.size;) {
    before = targets.size
    for (const [file, known] of targets) {
      if (![...known].some((target) => targets.has(target))) targets.delete(file)
    }
  }
  expect([...targets.keys()]).toEqual([])
})

test('datasets are pure: no Node builtins', () => {
  const wrong = sourceFiles('datasets')
    .flatMap(importsOf)
    .filter((found) => found.target.startsWith('node:'))
  expect(wrong.map(({ file, line, target }) => `${file}:${line} imports ${target}`)).toEqual([])
})

test('only activities turn errors into Temporal failures', () => {
  const rooms = Object.keys(ARROWS).filter((room) => room !== 'activities' && room !== 'workflows')
  const wrong = rooms.flatMap(sourceFiles).filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return text.includes('ApplicationFailure.')
  })
  expect(wrong).toEqual([])
})

test('no folder has more than 40 files of its own', () => {
  const files = [...Object.keys(ARROWS), 'bench', 'test', 'docs'].flatMap(sourceFiles)
  const folders = Object.groupBy(files, dirname)
  const full = Object.entries(folders).filter(([, own]) => (own ?? []).length > 40)
  expect(full.map(([folder]) => folder)).toEqual([])
})

test('at the top of datasets/ stand the datasets, their list and their contract', () => {
  const listed = importsOf('datasets/index.ts').map(({ target }) => basename(target))
  const top = sourceFiles('datasets').filter((file) => dirname(file) === 'datasets')
  expect(top.map((file) => basename(file)).toSorted()).toEqual([...listed, 'index.ts'].toSorted())
})

test('no file is longer than 400 lines, and none is called utils, helpers or manager', () => {
  const files = [...Object.keys(ARROWS), 'bench', 'test', 'docs'].flatMap(sourceFiles)
  const long = files.filter(
    (file) => readFileSync(join(root, file), 'utf8').split('\n').length > 401,
  )
  expect(long).toEqual([])
  expect(files.filter((file) => /(utils|helpers|manager)\b/.test(file))).toEqual([])
})
