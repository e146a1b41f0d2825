import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRecords, RESULTS_DIR } from '../../bench/bench-record.ts'
import { benchmarks } from '../../bench/benchmarks.ts'
import { benchLines } from '../../docs/generators/bench-blocks.ts'
import { fillBlocks } from '../../docs/generators/fill-blocks.ts'
import { REPOSITORY } from './page-text.ts'

const END = '<!-- bench end; npm run docs -->'
const names = benchmarks.map(({ name }) => name)

describe('bench/README.md', () => {
  const text = readFileSync(join(REPOSITORY, 'bench/README.md'), 'utf8')
  const sections = text.split(/^## /m).slice(1)

  test('has a section for each benchmark, in the order of the list', () => {
    const headings = sections.map((section) => section.split('\n', 1)[0])
    expect(headings).toEqual(names.map((name) => `\`npm run bench ${name}\``))
  })

  test('has the figures of each in its section, and none that are written by hand', () => {
    for (const [at, name] of names.entries()) {
      const section = sections[at] ?? ''
      const block = new RegExp(`^<!-- bench: figures ${name} -->\n[^]*^${END}$`, 'm')
      expect(section).toMatch(block)
      expect(section.replace(block, '')).not.toContain('```text')
    }
  })
})

test('what is kept is of benchmarks that there are, each in files of its own', () => {
  const files = readdirSync(RESULTS_DIR).toSorted()
  const records = readRecords(RESULTS_DIR)
  expect(records).toHaveLength(files.length)
  for (const [at, { benchmark, command }] of records.entries()) {
    expect(names).toContain(benchmark)
    expect(files[at]).toMatch(new RegExp(`^${benchmark}[-.]`))
    expect(command).toMatch(new RegExp(`^npm run bench ${benchmark}( |$)`))
  }
})

const fill = (...lines: string[]): string =>
  fillBlocks('page.md', lines.join('\n'), {
    bench: (what) => benchLines(what, { benchmarks, records: [] }),
  })

test('figures have a part for each record of their benchmark', () => {
  const record = readRecords(RESULTS_DIR)[0]!
  const linesOf = (...records: (typeof record)[]): string[] =>
    benchLines(`figures ${record.benchmark}`, { benchmarks, records })
  expect(linesOf(record, record)).toEqual([...linesOf(record), '', ...linesOf(record)])
})

test('a block that cannot be filled is refused', () => {
  const open = '<!-- bench: list -->'
  const endless = 'page.md: a block without an end'
  expect(() => fill('', open, 'text')).toThrow(endless)
  expect(() => fill(open, open, END)).toThrow(endless)
  expect(() => fill('<!-- chart: one -->', '<!-- chart end; npm run docs -->')).toThrow(
    'page.md: no kind of block is called chart',
  )
  expect(() => fill('<!-- bench: figures two -->', END)).toThrow('a block of list')
  expect(() => fill('<!-- bench: chart one -->', END)).toThrow('a block of list')
})
