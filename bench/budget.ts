import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { budgetCases } from './budget-cases.ts'
import type { BudgetCase } from './budget-cases.ts'
import { peerCommand } from './budget-peers.ts'
import { BUDGET_HEAD, budgetRow } from './budget-row.ts'
import { runBudgetCase } from './budget-run.ts'
import { textTable } from './table.ts'

/** Cases at once: each has mostly to wait, yet a machine that is busy itself makes processes stand still. */
const LANES = '2'

/**
 * How much of a rate limit is used, and what is refused: `coinlake backfill` in one and four
 * processes under limits of a service that counts by itself, then the peers. An argument after
 * `budget` takes only the cases whose names hold it; `--lanes 4` runs four at once.
 *
 * @param folder for warehouses; emptied by the caller
 */
export async function budget(folder: string, print: (line: string) => void): Promise<void> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(3),
    options: { lanes: { type: 'string', default: LANES } },
    allowPositionals: true,
  })
  const wanted = positionals[0] ?? ''
  const cases = budgetCases.filter(({ name }) => name.includes(wanted))
  // What they need is installed before anything is measured.
  for (const { peer } of cases) if (peer !== null) peerCommand(peer, process.env)
  const lane = pLimit(Math.max(1, Number(values.lanes)))
  const rows = new Map<BudgetCase, string[]>()
  // The longest first: no lane is left with it at the end.
  const queue = cases.toSorted((a, b) => lengthMs(b) - lengthMs(a))
  await Promise.all(
    queue.map((one, index) =>
      lane(async () => {
        const tell = (line: string): void => print(`  ${one.name}: ${line}`)
        tell('begins')
        const row = await runBudgetCase(one, join(folder, `case-${index}`), tell).then(
          (result) => budgetRow(one, result),
          (error: unknown) => [one.name, 'failed', ...Array(5).fill('-'), String(error)],
        )
        rows.set(one, row)
        print(row.join('  '))
      }),
    ),
  )
  print('')
  for (const line of textTable(
    BUDGET_HEAD,
    cases.map((one) => rows.get(one) ?? []),
  ))
    print(line)
}

function lengthMs({ quota, windows }: BudgetCase): number {
  return quota.perMs * windows
}
