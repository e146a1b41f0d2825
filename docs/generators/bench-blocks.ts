import { type BenchRecord, othersShareText } from '../../bench/bench-record.ts'
import type { Benchmark } from '../../bench/benchmark.ts'
import { isGoal, judged, tablesText } from '../../bench/figure-table.ts'
import { compareLines } from './compare-block.ts'
import { code, tableLines } from './markdown.ts'

export interface BenchFacts {
  benchmarks: readonly Benchmark[]
  records: readonly BenchRecord[]
}

/**
 * The lines of a block of figures:
 *
 * - `list`: every benchmark with its arguments, time, and how many of its goals are kept
 * - `compare`: coinlake beside a script and dlt
 * - `figures NAME`: all that is kept of a benchmark, a part for each of its records
 *
 * @throws Error for an unknown block or benchmark
 */
export function benchLines(what: string, facts: BenchFacts): string[] {
  if (what === 'list') return listLines(facts)
  if (what === 'compare') return compareLines(facts.records)
  const name = /^figures (\w+)$/.exec(what)?.[1]
  if (!facts.benchmarks.some((one) => one.name === name)) {
    throw new Error(`a block of list, compare or figures NAME, not ${what}`)
  }
  const records = facts.records.filter(({ benchmark }) => benchmark === name)
  if (records.length === 0) return ['Not taken yet.']
  return records.flatMap((record, at) => [...(at > 0 ? [''] : []), ...figureLines(record)])
}

function listLines({ benchmarks, records }: BenchFacts): string[] {
  return tableLines(
    ['`npm run bench`', 'measures', 'arguments', 'takes', 'goals kept'],
    benchmarks.map(({ name, measures, args, takes }) => {
      const usage = args === '' ? '' : code(args)
      const kept = keptGoals(records.filter(({ benchmark }) => benchmark === name))
      return [`[${name}](#npm-run-bench-${name})`, measures, usage, takes, kept]
    }),
  )
}

function keptGoals(records: readonly BenchRecord[]): string {
  const cells = records.flatMap(({ tables }) =>
    tables.flatMap(({ rows }) => rows.flatMap((row) => row.cells)),
  )
  const goals = cells.filter(isGoal)
  const kept = goals.filter((goal) => judged(goal).verdict === 'kept')
  return goals.length === 0 ? '' : `${kept.length} of ${goals.length}`
}

function figureLines(record: BenchRecord): string[] {
  return [...aboutLines(record), '', '```text', ...tablesText(record.tables).split('\n'), '```']
}

/** The conditions of the figures: two lines of one paragraph. */
function aboutLines(record: BenchRecord): string[] {
  const { command, takenAt, scenario, machine, commit } = record
  const { cores, memoryGib, cpu, os, node } = machine
  const place = `${cores} cores (${cpu}), ${memoryGib} GiB, ${os}, Node ${node}, commit ${commit}`
  const day = takenAt.slice(0, 'yyyy-mm-dd'.length)
  return [`\`${command}\`, ${day}. ${scenario}.`, `${place}; ${othersShareText(record)}.`]
}
