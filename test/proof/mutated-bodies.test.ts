import { expect, test } from 'vitest'
import { SourceDataError } from '../../api/errors.ts'
import type { PageTables, Row } from '../../datasets/dataset.ts'
import { tableByName } from '../../datasets/index.ts'
import { rowsOf } from '../datasets/rows-of.ts'
import { answeredBodies, type AnsweredBody } from './answered-bodies.ts'
import { mutated, type Mutation, mutations } from './mutations.ts'

const BODIES = 10_000
/** Where a row stands in its list: moves up when one before it is left out. */
const PLACES = new Set(['ordinal', 'rank'])

/** The fate of a body. */
type Outcome = 'loaded' | 'quarantined' | 'failed'

/**
 * Bodies of every dataset, each with one value changed at any depth: taken out, or turned into something
 * of another kind. None may crash, every part that a change does not touch must load, and a refusal of
 * the whole has a class.
 */
test('10,000 mutated bodies load, are quarantined, or fail their slice; what is whole loads', async () => {
  const given = await answeredBodies()
  const outcomes: Record<Outcome, number> = { loaded: 0, quarantined: 0, failed: 0 }
  const lost: string[] = []
  const each = Math.ceil(BODIES / given.length)
  let seed = 1
  for (const one of given) {
    const whole = countedRows(one.dataset.toTables(one.body, one.context))
    for (const mutation of mutations(one.body, each, seed++)) {
      const { outcome, missing } = verdict(one, mutation, whole)
      outcomes[outcome] += 1
      if (missing !== null) lost.push(`${one.dataset.name} ${mutation.what}: ${missing}`)
    }
  }
  const all = outcomes.loaded + outcomes.quarantined + outcomes.failed
  process.stdout.write(`${all} mutated bodies of ${given.length}: ${JSON.stringify(outcomes)}\n`)
  expect(lost).toEqual([])
  expect(all).toBeGreaterThanOrEqual(BODIES)
  // A mutation that nothing could see would prove nothing.
  expect(outcomes.quarantined).toBeGreaterThan(BODIES / 50)
  expect(outcomes.failed).toBeGreaterThan(BODIES / 100)
}, 300_000)

function verdict(
  { dataset, body, context }: AnsweredBody,
  mutation: Mutation,
  whole: ReadonlyMap<string, number>,
): { outcome: Outcome; missing: string | null } {
  let tables: PageTables
  try {
    tables = dataset.toTables(mutated(body, mutation), context)
  } catch (error) {
    if (!(error instanceof SourceDataError)) throw new Error(mutation.what, { cause: error })
    // Only what is no part of a list may bring the rest down with it.
    const missing = mutation.without === null ? null : `the slice fails: ${error.message}`
    return { outcome: 'failed', missing }
  }
  const outcome = tables.rejected.length > 0 ? 'quarantined' : 'loaded'
  if (mutation.without === null) return { outcome, missing: null }
  const loaded = countedRows(tables)
  // A row that counts the others changes with the item: those that do not are none of its business.
  for (const [row, count] of countedRows(dataset.toTables(mutation.without, context))) {
    const due = Math.min(count, whole.get(row) ?? 0)
    if ((loaded.get(row) ?? 0) < due) return { outcome, missing: `lost ${row}` }
  }
  return { outcome, missing: null }
}

/** Rows as text, without their place in the list, and how many there are of each. */
function countedRows({ tables }: PageTables): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { table, rows } of tables) {
    for (const row of rowsOf(tableByName(table)!, rows)) {
      const text = `${table} ${JSON.stringify(withoutPlace(row))}`
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  }
  return counts
}

function withoutPlace(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !PLACES.has(name)))
}
