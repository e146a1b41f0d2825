import { datasetLookup } from './dataset-lookup.ts'
import { selectorText } from '../config/values/coin-selector.ts'
import type { Slice } from '../datasets/dataset.ts'
import { selectorOf } from './order.ts'
import { type PlanSlicesInput, type SlicePlan, planSlices } from './plan-slices.ts'
import { coinsRequest } from './universe.ts'

/** The length of the longest coin id. So a URL holds no more stand-ins than real ids. */
const LONGEST_ID_CHARS = 70

/** Stands for an unchosen coin. */
export const ANY_COIN = '?'

/** A slice that a pending choice may add, in place of `times` slices of the same cost. */
export interface PendingSlice {
  slice: Slice
  times: number
  /** Index of its order in `wanted`. */
  order: number
}

/**
 * The most slices that pending universes can add to a plan, for its price. No coin counts as loaded. Where each slice
 * holds one coin, the slices of one stand-in count for all coins (`times`).
 */
export function pendingSlices(input: PlanSlicesInput, plan: SlicePlan): PendingSlice[] {
  const pending = new Set(plan.pendingUniverses.map(selectorText))
  const datasetOf = datasetLookup(input.datasets)
  return input.wanted.flatMap((wanted, order) => {
    const selector = selectorOf(wanted)
    if (selector === null || !pending.has(selectorText(selector))) return []
    const dataset = datasetOf(wanted.dataset)
    const { mostCoins } = coinsRequest(selector)
    const isShared = dataset.entitiesPerSlice !== undefined
    const ids = Array.from({ length: isShared ? mostCoins : 1 }, (_, rank) =>
      `?${rank}`.padEnd(LONGEST_ID_CHARS, '?'),
    )
    const { slices } = planSlices({
      ...input,
      wanted: [{ ...wanted, entities: ids }],
      // Currencies share a request only while they lack the same coins. The bound is one request each.
      datasets: [{ ...dataset, currenciesPerSlice: 1 }],
    })
    return slices.map((slice) => ({ slice, times: isShared ? 1 : mostCoins, order }))
  })
}
