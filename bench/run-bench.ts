import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  othersShareText,
  recordFile,
  RESULTS_DIR,
  writeRecord,
  type BenchRecord,
} from './bench-record.ts'
import { BenchUsageError, type Benchmark } from './benchmark.ts'
import { tablesText } from './figure-table.ts'
import { canMeasure } from './machine/measure.ts'
import { watchOthers } from './machine/others-share.ts'
import { thisCommit, thisMachine } from './machine/this-machine.ts'

const FAILED_EXIT_CODE = 1
const USAGE_EXIT_CODE = 2

export interface BenchEffects {
  print: (line: string) => void
  printError: (line: string) => void
  env: NodeJS.ProcessEnv
}

/**
 * Runs `npm run bench [name [arguments]]`: lists the benchmarks, or runs one, shows its figures, and keeps them as JSON.
 * The folder is bench/results/, or COINLAKE_BENCH_RESULTS. Returns the exit code.
 *
 * @param words the words behind `npm run bench`
 */
export async function runBench(
  words: readonly string[],
  benchmarks: readonly Benchmark[],
  { print, printError, env }: BenchEffects,
): Promise<number> {
  const [name, ...args] = words
  if (name === undefined) {
    for (const line of benchmarkList(benchmarks)) print(line)
    return 0
  }
  const benchmark = benchmarks.find((one) => one.name === name)
  const known = `npm run bench <name>; there are: ${benchmarks.map((one) => one.name).join(', ')}`
  if (benchmark === undefined) return usageFault(`no benchmark ${JSON.stringify(name)}: ${known}`)
  if (!canMeasure()) return usageFault('the benchmarks measure processes in /proc: they need Linux')
  if (benchmark.args === '' && args.length > 0) {
    return usageFault(`${name} takes no arguments, and was given ${args.join(' ')}`)
  }
  const dir = env['COINLAKE_BENCH_RESULTS'] || RESULTS_DIR
  try {
    const { failure, record } = await taken(benchmark, args, print)
    for (const line of ['', ...shownRecord(record)]) print(line)
    if (failure !== undefined) {
      printError(`${name} failed, and nothing is kept: ${failure}`)
      return FAILED_EXIT_CODE
    }
    mkdirSync(dir, { recursive: true })
    print(`kept in ${writeRecord(dir, recordFile(name, args), record)}`)
    if (dir === RESULTS_DIR) print('`npm run docs` brings it into the pages')
    return 0
  } catch (error) {
    if (error instanceof BenchUsageError) {
      return usageFault(`${error.message}: npm run bench ${name} ${benchmark.args}`)
    }
    throw error
  }

  function usageFault(text: string): number {
    printError(text)
    return USAGE_EXIT_CODE
  }
}

function benchmarkList(benchmarks: readonly Benchmark[]): string[] {
  const width = Math.max(...benchmarks.map(({ name }) => name.length))
  return [
    'npm run bench <name> [arguments]',
    ...benchmarks.flatMap(({ name, measures, args, takes }) => [
      '',
      `${name.padEnd(width)}  ${measures}`,
      ...(args === '' ? [] : [`${' '.repeat(width)}  arguments: ${args}`]),
      `${' '.repeat(width)}  takes ${takes}`,
    ]),
  ]
}

function shownRecord(record: BenchRecord): string[] {
  return [
    record.scenario,
    '',
    ...tablesText(record.tables).split('\n'),
    '',
    othersShareText(record),
  ]
}

async function taken(benchmark: Benchmark, args: readonly string[], print: BenchEffects['print']) {
  const folder = mkdtempSync(join(tmpdir(), 'coinlake-bench-'))
  const measured = {
    benchmark: benchmark.name,
    command: commandOf(benchmark.name, args),
    takenAt: new Date().toISOString(),
    machine: thisMachine(),
    commit: thisCommit(),
  }
  const shareOfOthers = watchOthers()
  let othersShare = 0
  const { failure, ...figures } = await benchmark.run({ folder, args, print }).finally(() => {
    othersShare = Math.round(shareOfOthers() * 1000) / 1000
    rmSync(folder, { recursive: true, force: true })
  })
  return { failure, record: { ...measured, othersShare, ...figures } }
}

function commandOf(name: string, args: readonly string[]): string {
  const quoted = args.map((arg) => (/^[\w.,:=/-]+$/.test(arg) ? arg : JSON.stringify(arg)))
  return ['npm run bench', name, ...quoted].join(' ')
}
