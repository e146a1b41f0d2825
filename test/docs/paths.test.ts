import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ARROWS } from '../arrows.ts'
import { REPOSITORY, isThere, pages, pathsIn, readPage } from './page-text.ts'

const all = pages()

describe.each(all.map((page) => [page.file, page] as const))('%s', (_, page) => {
  test('every file and folder that it names is there', () => {
    const missing = pathsIn(page).filter(({ path }) => !isThere(path))
    expect(missing.map(({ where, path }) => `${where} names ${path}`)).toEqual([])
  })

  test('every link leads somewhere', () => {
    const local = page.links.filter(({ target }) => !/^https?:/.test(target))
    const broken = local.filter(({ target }) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page.file : join(dirname(page.file), path)
      if (!isThere(file)) return true
      return anchor !== undefined && !readPage(file).anchors.includes(anchor)
    })
    expect(broken.map(({ where, target }) => `${where} links to ${target}`)).toEqual([])
  })
})

test('every page of docs/ is reached from the README by links', () => {
  const reached = new Set(['README.md'])
  for (const file of reached) {
    for (const { target } of readPage(file).links) {
      const [path = ''] = target.split('#')
      if (path.endsWith('.md') && !/^https?:/.test(path)) reached.add(join(dirname(file), path))
    }
  }
  const inDocs = all.map(({ file }) => file).filter((file) => file.startsWith('docs/'))
  expect(inDocs.filter((file) => !reached.has(file))).toEqual([])
})

describe('docs/architecture.md', () => {
  const page = readPage('docs/architecture.md')

  test('stays short enough to be read, and names files', () => {
    expect(page.lineCount).toBeLessThanOrEqual(150)
    expect(pathsIn(page).length).toBeGreaterThan(40)
  })

  test('shows the rooms and arrows that are kept', () => {
    const text = readFileSync(join(REPOSITORY, page.file), 'utf8')
    const rows = [...text.matchAll(/^\| `(\w+)\/` \| .* \| (.*) \|$/gm)]
    const rooms = rows.map(([, room = '']) => room)
    const shown = rows.map(([, room = '', allowed = '']) => [
      room,
      allowed === 'all of the above'
        ? rooms.slice(0, rooms.indexOf(room))
        : (allowed.match(/\w+(?=,|$)/g) ?? []),
    ])
    expect(Object.fromEntries(shown)).toEqual(ARROWS)
  })
})

test('each promise of docs/guarantees.md has a command: test files that are there, or a benchmark', () => {
  const text = readFileSync(join(REPOSITORY, 'docs/guarantees.md'), 'utf8')
  const tables = text.split('\n\n').filter((part) => part.startsWith('| promise'))
  const rows = tables.flatMap((table) =>
    [...table.matchAll(/^\| (?!promise|---)(.*) \|$/gm)].map(([, row = '']) => row),
  )
  expect(rows.length).toBeGreaterThan(25)
  const { anchors } = readPage('bench/README.md')
  for (const row of rows) {
    const proof = row.split(/\s*\|\s*/).at(-1)!
    const bench = /npm run bench (\w+)/.exec(proof)?.[1]
    if (bench !== undefined) expect(anchors, row).toContain(`npm-run-bench-${bench}`)
    else if (proof !== 'the same')
      expect(proof, row).toMatch(/^`(\w+=\S+ )*npx vitest run (test\/\S+ ?)+`/)
  }
})
