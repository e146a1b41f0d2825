import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type BenchFigures, type Benchmark, BenchUsageError } from '../../bench/benchmark.ts'
import { benchmarks } from '../../bench/benchmarks.ts'
import { readRecords, recordFile } from '../../bench/bench-record.ts'
import { tablesText } from '../../bench/figure-table.ts'
import { canMeasure } from '../../bench/machine/measure.ts'
import { runBench } from '../../bench/run-bench.ts'
import { tempDir } from '../parts/temp-dir.ts'

const dir = tempDir(afterAll)
afterEach(() => {
  for (const name of readdirSync(dir)) rmSync(join(dir, name))
})
const FIGURES: BenchFigures = {
  scenario: 'Two rows',
  tables: [
    {
      title: 'a table',
      columns: [{ name: 'ratio', decimals: 2 }],
      rows: [
        { name: 'with "quotes" and $& in it', unit: 's', cells: [1 / 3] },
        { name: 'goal', cells: [{ value: 2 / 3, atMost: 0.5 }] },
        { name: 'nothing', cells: [null] },
      ],
    },
  ],
}

function benchmark(run: Benchmark['run']): Benchmark {
  return { name: 'two', measures: 'two rows', args: '[size]', takes: 'no time', run }
}

async function bench(
  words: readonly string[],
  run: Benchmark['run'] = async () => await Promise.resolve(FIGURES),
): Promise<{ exitCode: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []]
  const exitCode = await runBench(words, [benchmark(run)], {
    print: (line) => void out.push(line),
    printError: (line) => void err.push(line),
    env: { COINLAKE_BENCH_RESULTS: dir },
  })
  return { exitCode, out: out.join('\n'), err: err.join('\n') }
}

test('without a name every benchmark is listed with what it measures', async () => {
  const lines: string[] = []
  const print = (line: string): void => void lines.push(line)
  expect(await runBench([], benchmarks, { print, printError: print, env: {} })).toBe(0)
  for (const { name, measures, args, takes } of benchmarks) {
    const at = lines.findIndex((line) => line.startsWith(`${name} `))
    expect(lines[at]?.trimEnd().endsWith(`  ${measures}`), name).toBe(true)
    const [below = '', belowThat = ''] = lines.slice(at + 1)
    if (args !== '') expect(below.trim()).toBe(`arguments: ${args}`)
    expect((args === '' ? below : belowThat).trim()).toBe(`takes ${takes}`)
    expect(measures, name).toMatch(/^.{20,110}$/)
  }
  expect(new Set(benchmarks.map(({ name }) => name)).size).toBe(benchmarks.length)
})

test('an unknown name ends with 2 and tells the names', async () => {
  const { exitCode, err } = await bench(['three'])
  expect({ exitCode, err }).toEqual({
    exitCode: 2,
    err: 'no benchmark "three": npm run bench <name>; there are: two',
  })
})

test.runIf(canMeasure())('figures are shown, kept with six digits, and read again', async () => {
  const { exitCode, out } = await bench(['two', '1', 'a b'])
  expect(exitCode).toBe(0)
  expect(readdirSync(dir)).toEqual(['two-1-a-b.json'])
  const [record] = readRecords(dir)
  expect(record).toMatchObject({
    benchmark: 'two',
    command: 'npm run bench two 1 "a b"',
    scenario: 'Two rows',
    machine: { node: process.version },
  })
  expect(out).toContain(tablesText(FIGURES.tables))
  expect(record!.tables[0]!.rows.map(({ cells }) => cells)).toEqual([
    [0.333333],
    [{ value: 0.666667, atMost: 0.5 }],
    [null],
  ])
  const text = readFileSync(join(dir, 'two-1-a-b.json'), 'utf8')
  expect(text).toContain('\n        {"name":"goal","cells":[{"value":0.666667,"atMost":0.5}]},\n')
  expect(out.split('\n').at(-1)).toBe(`kept in ${join(dir, 'two-1-a-b.json')}`)
})

test.runIf(canMeasure())('of a benchmark that failed nothing is kept', async () => {
  const failed = await bench(['two'], async () => {
    return await Promise.resolve({ ...FIGURES, failure: 'rows are missing' })
  })
  expect(failed).toMatchObject({
    exitCode: 1,
    err: 'two failed, and nothing is kept: rows are missing',
  })
  expect(failed.out).toContain('a table')
  const thrown = bench(['two'], () => Promise.reject(new Error('no disk')))
  await expect(thrown).rejects.toThrow('no disk')
  const refused = await bench(['two'], () => Promise.reject(new BenchUsageError('too large')))
  expect(refused).toMatchObject({ exitCode: 2, err: 'too large: npm run bench two [size]' })
  expect(readdirSync(dir)).toEqual([])
})

test('a file that is no record is named, with what to do', () => {
  writeFileSync(join(dir, 'w2.json'), '{ "benchmark": "w2" }')
  expect(() => readRecords(dir)).toThrow(/w2\.json is no record; take it again/)
  writeFileSync(join(dir, 'w2.json'), '{')
  expect(() => readRecords(dir)).toThrow(/w2\.json is no record; take it again/)
})

test('each scenario has a file of its own', () => {
  expect(recordFile('publish', [])).toBe('publish.json')
  expect(recordFile('publish', ['1', '50'])).toBe('publish-1-50.json')
  expect(recordFile('budget', ['30 per 10 s, fixed'])).toBe('budget-30-per-10-s-fixed.json')
})
