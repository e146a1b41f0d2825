import type { Dataset, Slice, StepContext } from '../datasets/dataset.ts'
import { itemsLookup, type KnownItems } from './price.ts'
import { priceSlice } from './price-slice.ts'

/** Pages that slices will take; an upper bound where a listing was never read. */
export function expectedPages(
  slices: readonly Slice[],
  datasets: readonly Dataset[],
  context: StepContext,
  knownItems: readonly KnownItems[],
): number {
  const lastReadingOf = itemsLookup(knownItems)
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]))
  return slices.reduce((sum, slice) => {
    const dataset = byName.get(slice.dataset)
    if (dataset === undefined) throw new RangeError(`no such dataset: ${slice.dataset}`)
    return sum + priceSlice(slice, dataset, context, lastReadingOf).calls.max
  }, 0)
}
