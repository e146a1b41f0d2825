import type { Slice } from '../datasets/dataset.ts'
import { type PlanSlicesInput, type SlicePlan, planSlices } from './plan-slices.ts'
import { selectorText } from './universe.ts'

/** As long as the longest coin id there is, so that no more of them fit into one URL than of real ones. */
const LONGEST_ID_CHARS = 70

/**
 * The most slices that a plan's pending universes can add once they are chosen: planned for coins
 * that nothing is loaded of. For a price before the choice; never to be fetched.
 */
export function pendingSlices(input: PlanSlicesInput, plan: SlicePlan): Slice[] {
  const unchosen = Object.fromEntries(
    plan.pendingUniverses.map((selector) => [
      selectorText(selector),
      Array.from({ length: selector.top }, (_, rank) => `?${rank}`.padEnd(LONGEST_ID_CHARS, '?')),
    ]),
  )
  const wanted = input.wanted.filter(({ entities }) => {
    return 'top' in entities && selectorText(entities) in unchosen
  })
  // Currencies share a request only while they lack the same coins: at the most each asks for itself.
  const datasets = input.datasets.map((dataset) => ({ ...dataset, currenciesPerSlice: 1 }))
  return planSlices({ ...input, wanted, datasets, universes: unchosen }).slices
}
