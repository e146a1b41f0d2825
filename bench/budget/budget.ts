import { join } from 'node:path'
import pLimit from 'p-limit'
import { BenchUsageError } from '../benchmark.ts'
import type { Benchmark, BenchContext, BenchFigures } from '../benchmark.ts'
import { budgetCases, type BudgetCase } from './budget-cases.ts'
import { peerCommand, runBudgetCase } from './budget-run.ts'
import type { CallTimes } from './budget-service.ts'
import { figure, figureText, type Column, type Row } from '../figure-table.ts'

/** Cases at once. Each mostly waits. More would delay one another on two cores. */
const AT_ONCE = 4

/** Windows of a cold start. The steady state comes after them. */
const COLD_WINDOWS = 2

/** Columns for the calls of coinlake or a peer, and for the calls of the other client. */
export const BUDGET_COLUMNS: readonly Column[] = [
  { name: 'refused' },
  { name: 'used when steady', unit: '%', decimals: 1 },
  { name: 'used from cold', unit: '%', decimals: 1 },
  { name: 'windows' },
  { name: 'other good' },
  { name: 'other refused' },
]

export const budget: Benchmark = {
  name: 'budget',
  measures:
    'what is used of a rate limit and what is refused, by one process, by four, and by peers',
  args: '[part of the names of cases]',
  takes: '30 min',
  run: measureBudget,
}

async function measureBudget({ folder, args, print }: BenchContext): Promise<BenchFigures> {
  const [wanted = '', ...more] = args
  const cases = budgetCases.filter(({ name }) => name.includes(wanted))
  if (more.length > 0 || cases.length === 0) {
    throw new BenchUsageError(`no case has ${JSON.stringify(args.join(' '))} in its name`)
  }
  // Before any measurement, packages are installed.
  for (const { peer } of cases) if (peer !== null) peerCommand(peer)
  const limit = pLimit(AT_ONCE)
  const rows = new Map<BudgetCase, Row>()
  const failures: string[] = []
  // The longest cases come first, so that the last ones end at about the same time.
  const queue = cases.toSorted((a, b) => lengthMs(b) - lengthMs(a))
  await Promise.all(
    queue.map((one, index) =>
      limit(async () => {
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
    scenario: `${cases.length} cases, ${AT_ONCE} at once; windows are counted from the first good call`,
    tables: [{ rowsAre: 'limit', columns, rows: cases.flatMap((one) => rows.get(one) ?? []) }],
    ...(failures.length > 0 && { failure: failures.join('\n') }),
  }
}

function lengthMs({ quota, windows }: BudgetCase): number {
  return quota.perMs * windows
}

/** A case as a line of the table. The first window begins with the first good call. */
export function budgetRow(one: BudgetCase, calls: CallTimes): Row {
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
  const refused = within(calls.refused, 0, windows)
  const cells = [refused, used(COLD_WINDOWS, windows), used(0, windows), windows, ...foreign]
  return { name: one.name, cells }
}
