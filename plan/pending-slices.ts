import { selectorText } from '../config/coin-selector.ts'
import type { Slice } from '../datasets/dataset.ts'
import { selectorOf } from './order.ts'
import { type PlanSlicesInput, type SlicePlan, planSlices } from './plan-slices.ts'
import { universeStep } from './universe.ts'

/** As long as the longest coin id there is, so that no more of them fit into one URL than of real ones. */
const LONGEST_ID_CHARS = 70

/** A slice that a pending choice may add, standing for `times` slices that cost the same. */
export interface PendingSlice {
  slice: Slice
  times: number
  /** The place in `wanted` of what asks for it. */
  order: number
}

/**
 * The most slices that a plan's pending universes can add once they are chosen: planned for coins
 * that nothing is loaded of. For a price before the choice; never to be fetched. All of them cost the
 * same where a slice holds one coin, so one coin stands for all: every coin there is, day by day over
 * years, would be millions.
 */
export function pendingSlices(input: PlanSlicesInput, plan: SlicePlan): PendingSlice[] {
  const isPending = new Set(plan.pendingUniverses.map(selectorText))
  const byName = new Map(input.datasets.map((dataset) => [dataset.name, dataset]))
  return input.wanted.flatMap((wanted, order) => {
    const selector = selectorOf(wanted)
    const dataset = byName.get(wanted.dataset)
    if (selector === null || dataset === undefined || !isPending.has(selectorText(selector)))
      return []
    const { mostCoins } = universeStep(selector)
    const isShared = dataset.entitiesPerSlice !== undefined
    const ids = Array.from({ length: isShared ? mostCoins : 1 }, (_, rank) =>
      `?${rank}`.padEnd(LONGEST_ID_CHARS, '?'),
    )
    const { slices } = planSlices({
      ...input,
      wanted: [{ ...wanted, entities: ids }],
      // Currencies share a request only while they lack the same coins: at the most each asks for itself.
      datasets: [{ ...dataset, currenciesPerSlice: 1 }],
    })
    return slices.map((slice) => ({ slice, times: isShared ? 1 : mostCoins, order }))
  })
}
