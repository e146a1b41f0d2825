import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { BenchUsageError, positiveNumbers } from '../benchmark.ts'
import type { Benchmark, BenchContext, BenchFigures } from '../benchmark.ts'
import { budgetCases } from './budget-cases.ts'
import type { BudgetCase } from './budget-cases.ts'
import { peerCommand, runBudgetCase } from './budget-run.ts'
import type { CaseResult } from './budget-run.ts'
import { figure, figureText } from '../figure-table.ts'
import type { Column, Row } from '../figure-table.ts'

/** Cases at once. Each mostly waits. On a busy machine more would delay one another. */
const LANES = '2'

/** Windows of a cold start. The steady state comes after them. */
const COLD_WINDOWS = 2

/** Columns for the calls of coinlake or a peer, for the calls of the other client, and for the end. */
export const BUDGET_COLUMNS: readonly Column[] = [
  { name: 'refused' },
  { name: 'used when steady', unit: '%', decimals: 1 },
  { name: 'used from cold', unit: '%', decimals: 1 },
  { name: 'windows' },
  { name: 'other good' },
  { name: 'other refused' },
  { name: '' },
]

export const budget: Benchmark = {
  name: 'budget',
  measures:
    'what is used of a rate limit and what is refused, by one process, by four, and by peers',
  args: '[part of the names of cases] [--lanes <cases at once>]',
  takes: '30 min, --lanes 4',
  variant: (args) => budgetArgs(args).positionals,
  run: measureBudget,
}

/**
 * Measures how much of a rate limit is used, and how many calls are refused. First `coinlake backfill` in one and four
 * processes, then the peers. The service counts by itself. An argument selects cases by name; `--lanes 4` runs four at
 * once.
 */
async function measureBudget({ folder, args, print }: BenchContext): Promise<BenchFigures> {
  const { lanes, positionals } = budgetArgs(args)
  const [wanted = '', ...more] = positionals
  const cases = budgetCases.filter(({ name }) => name.includes(wanted))
  if (more.length > 0 || cases.length === 0) {
    throw new BenchUsageError(`no case has ${JSON.stringify(positionals.join(' '))} in its name`)
  }
  // Before any measurement, packages are installed.
  for (const { peer } of cases) if (peer !== null) peerCommand(peer, process.env)
  const lane = pLimit(lanes)
  const rows = new Map<BudgetCase, Row>()
  const failures: string[] = []
  // The longest cases come first, so that all lanes end at about the same time.
  const queue = cases.toSorted((a, b) => lengthMs(b) - lengthMs(a))
  await Promise.all(
    queue.map((one, index) =>
      lane(async () => {
        const tell = (line: string): void => print(`  ${one.name}: ${line}`)
        tell('begins')
        try {
          const row = budgetRow(one, await runBudgetCase(one, join(folder, `case-${index}`), tell))
          rows.set(one, row)
          tell(BUDGET_COLUMNS.map((head, at) => figureText(row.cells[at], head, row)).join('  '))
        } catch (error) {
          failures.push(`${one.name}: ${String(error)}`)
          tell(`failed: ${String(error)}`)
        }
      }),
    ),
  )
  const columns = [...BUDGET_COLUMNS]
  return {
    scenario: `${cases.length} cases, ${lanes} at once; windows are counted from the first good call`,
    tables: [
      { title: '', rowsAre: 'limit', columns, rows: cases.flatMap((one) => rows.get(one) ?? []) },
    ],
    ...(failures.length > 0 && { failure: failures.join('\n') }),
  }
}

function budgetArgs(args: readonly string[]): { lanes: number; positionals: string[] } {
  try {
    const options = { lanes: { type: 'string', default: LANES } } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [lanes = 1] = positiveNumbers([values.lanes])
    return { lanes: Math.ceil(lanes), positionals }
  } catch (error) {
    throw new BenchUsageError((error as Error).message, { cause: error })
  }
}

function lengthMs({ quota, windows }: BudgetCase): number {
  return quota.perMs * windows
}

/** A case as a line of the table. The first window begins with the first good call. */
export function budgetRow(one: BudgetCase, { calls, ended }: CaseResult): Row {
  const { quota, windows, foreignCalls } = one
  const firstMs = calls.good[0] ?? 0
  const within = (times: readonly number[], from: number, to: number): number =>
    times.filter((ms) => {
      const window = (ms - firstMs) / quota.perMs
      return window >= from && window < to
    }).length
  const used = (from: number, to: number): number | null => {
    const allowed = (quota.calls - foreignCalls) * (to - from)
    return figure((within(calls.good, from, to) / allowed) * 100)
  }
  const foreign = [calls.foreignGood, calls.foreignRefused].map((times) =>
    foreignCalls === 0 ? '' : within(times, 0, windows),
  )
  const end =
    ended === null
      ? ''
      : `ended after ${(ended.afterMs / 1000).toFixed(0)} s, exit ${ended.codes.join(', ')}`
  const refused = within(calls.refused, 0, windows)
  const cells = [refused, used(COLD_WINDOWS, windows), used(0, windows), windows, ...foreign, end]
  return { name: one.name, cells }
}
