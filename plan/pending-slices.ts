import { selectorText } from '../config/values/coin-selector.ts'
import type { Slice } from '../datasets/dataset.ts'
import { selectorOf } from './order.ts'
import { type PlanSlicesInput, type SlicePlan, planSlices } from './plan-slices.ts'
import { universeStep } from './universe.ts'

/** The length of the longest coin id, so that stand-ins fill a URL no denser than real ids. */
const LONGEST_ID_CHARS = 70

/** A slice that a pending choice may add, for `times` slices of the same cost. */
export interface PendingSlice {
  slice: Slice
  times: number
  /** The place of its order in `wanted`. */
  order: number
}

/**
 * The most slices that pending universes can add to a plan, for its price: as if no coin had loaded slices. Where each
 * slice holds one coin, one coin stands for all, because all cost the same and every coin by day over years would be
 * millions of slices.
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
      // Currencies share a request only while they lack the same coins, so the upper bound is one request each.
      datasets: [{ ...dataset, currenciesPerSlice: 1 }],
    })
    return slices.map((slice) => ({ slice, times: isShared ? 1 : mostCoins, order }))
  })
}
