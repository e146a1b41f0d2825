import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRecords, RESULTS_DIR } from '../../bench/bench-record.ts'
import type { BenchRecord } from '../../bench/bench-record.ts'
import type { Benchmark } from '../../bench/benchmark.ts'
import { benchmarks } from '../../bench/benchmarks.ts'
import { benchLines } from '../../docs/generators/bench-blocks.ts'
import type { BenchFacts } from '../../docs/generators/bench-blocks.ts'
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

const ONE: Benchmark = {
  name: 'one',
  measures: 'one thing',
  args: '[size]',
  takes: '1 min',
  run: async () => await Promise.resolve({ scenario: '', tables: [] }),
}

function record(command: string, value: number): BenchRecord {
  const rows = [{ name: 'time', unit: 's', cells: [{ value, atMost: 2 }] }]
  return {
    benchmark: 'one',
    command,
    takenAt: '2026-01-02T03:04:05.678Z',
    machine: { cores: 2, memoryGib: 24, cpu: 'a CPU', os: 'Linux 6', node: 'v24' },
    commit: 'abc+',
    othersShare: 0.25,
    scenario: 'Once',
    tables: [{ title: 'times', rowsAre: '', columns: [{ name: 'figure' }], rows }],
  }
}

const facts = {
  benchmarks: [ONE, { ...ONE, name: 'other', args: '' }],
  records: [record('npm run bench one', 1.5), record('npm run bench one 9', 2.5)],
}
const fillWith = (known: BenchFacts, ...lines: string[]): string =>
  fillBlocks('page.md', lines.join('\n'), { bench: (what) => benchLines(what, known) })
const fill = (...lines: string[]): string => fillWith(facts, ...lines)

describe('a block', () => {
  test('of figures has all records with what they depend on, whatever stood in it', () => {
    const filled = fill('before', '<!-- bench: figures one -->', 'stale', END, 'behind')
    expect(filled.split('\n')).toEqual([
      'before',
      '<!-- bench: figures one -->',
      '`npm run bench one`, 2026-01-02. Once.',
      '2 cores (a CPU), 24 GiB, Linux 6, Node v24, commit abc+; other processes had 25 % of the machine meanwhile.',
      '',
      '```text',
      'times',
      '         figure  at most',
      'time, s     1.5        2 kept',
      '```',
      '',
      '`npm run bench one 9`, 2026-01-02. Once.',
      '2 cores (a CPU), 24 GiB, Linux 6, Node v24, commit abc+; other processes had 25 % of the machine meanwhile.',
      '',
      '```text',
      'times',
      '         figure  at most',
      'time, s     2.5        2 missed',
      '```',
      END,
      'behind',
    ])
    expect(fill(filled)).toBe(filled)
  })

  test('of a comparison says what was not measured', () => {
    const columns = ['wall', 'calls again', 'rows', 'rows after'].map((name) => ({ name }))
    const tables = [
      {
        title: 'W2: rows',
        rowsAre: '',
        columns,
        rows: [{ name: 'by hand', cells: [2.34, 200, 9, 18] }],
      },
    ]
    const records = [{ ...record('npm run bench peers', 1), benchmark: 'peers', tables }]
    const lines = fillWith({ ...facts, records }, '<!-- bench: compare -->', END)
    expect(lines.split('\n').slice(3, 5)).toEqual([
      '| coinlake | not measured | not measured | not measured | not measured |',
      '| a script by hand | 2.3 s | not measured | 200 calls, each row twice | not measured |',
    ])
  })

  test('that cannot be filled is refused', () => {
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
})
