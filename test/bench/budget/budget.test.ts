import { expect, test } from 'vitest'
import { budgetCases } from '../../../bench/budget/budget-cases.ts'
import { BUDGET_COLUMNS, budgetRow } from '../../../bench/budget/budget.ts'

const STARTED_MS = 1_000_000
const NOBODY = { foreignGood: [], foreignRefused: [] }
const evenly = (count: number, fromMs: number, everyMs: number): number[] =>
  Array.from({ length: count }, (_, call) => fromMs + call * everyMs)

function caseOf(name: string) {
  const found = budgetCases.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no case ${name}`)
  return found
}

test('windows count from the first good call, and only those that are measured', () => {
  const one = caseOf('30 per 10 s, fixed, epoch_s, 1p')
  // Nothing in the first two windows but two calls, then all of eight windows, then more of no account.
  const good = [STARTED_MS, STARTED_MS + 1, ...evenly(300, STARTED_MS + 20_000, 10_000 / 30)]
  const refused = [STARTED_MS + 5, STARTED_MS + 100_001]
  const row = budgetRow(one, { good, refused, ...NOBODY })
  expect(row).toEqual({ name: one.name, cells: [1, 100, expect.closeTo(80.67), 10, '', ''] })
  expect(row.cells).toHaveLength(BUDGET_COLUMNS.length)
})

test('beside another client only the calls that it leaves are ours, and its refusals are shown', () => {
  const one = caseOf('another client takes 9 of 30 per 10 s')
  const good = evenly(210, STARTED_MS, 10_000 / 21)
  const foreignGood = evenly(88, STARTED_MS, 10_000 / 9)
  const foreignRefused = [STARTED_MS + 99_000, STARTED_MS + 99_500]
  const calls = { good, refused: [], foreignGood, foreignRefused }
  expect(budgetRow(one, calls).cells).toEqual([0, 100, 100, 10, 88, 2])
})

test('no two cases have one name: a case is chosen by it', () => {
  expect(new Set(budgetCases.map(({ name }) => name)).size).toBe(budgetCases.length)
})
