import type { Dataset, RequestStep, Slice, StepContext } from '../datasets/dataset.ts'
import { listingPages } from './listing-pages.ts'
import { mostItems } from './listing-sizes.ts'
import { gridStepMs } from './utc-grid.ts'

/** From `min` to `max`; equal: known exactly. */
export interface Bounds {
  min: number
  max: number
}

export interface SlicePrice {
  calls: Bounds
  /** An estimate: series have irregular points, and listings grow. */
  rows: number
}

/** The last known length of a listing; null: never read. `step` is the index of the request. */
export type ItemsLookup = (slice: Slice, step: number) => { items: number; pages: number } | null

/** The cost of one slice without faults: one call for each request step or page of a listing. */
export function priceSlice(
  slice: Slice,
  dataset: Dataset,
  context: StepContext,
  lastReadingOf: ItemsLookup,
): SlicePrice {
  const calls: Bounds = { min: 0, max: 0 }
  let items = 0
  dataset.steps(slice, context).forEach((step, index) => {
    const lastReading = lastReadingOf(slice, index)
    const most = mostItemsOf(slice, step, dataset)
    const pages =
      step.paging === 'single' ? { min: 1, max: 1 } : pageBounds(most, step, lastReading)
    calls.min += pages.min
    calls.max += pages.max
    items += lastReading?.items ?? most
  })
  const isSeries = dataset.kind === 'range' || dataset.kind === 'trailing'
  const stepMs = gridStepMs(dataset, slice.granularity)
  const points = Math.ceil((slice.toMs - slice.fromMs) / stepMs)
  if (isSeries) return { calls, rows: points }
  const currencies = slice.vsCurrency.split(',').length
  return { calls, rows: dataset.rowsPerSlice ?? items * currencies }
}

/** The pages of the last reading, else bounds. The source decides on the size of pages. */
function pageBounds(
  most: number,
  step: RequestStep,
  lastReading: { pages: number } | null,
): Bounds {
  if (lastReading !== null) return { min: lastReading.pages, max: lastReading.pages }
  return { min: 1, max: listingPages(most, step.perPage) }
}

/** Most items of a listing. A listing by ids has at most one item for each id. */
function mostItemsOf(slice: Slice, step: RequestStep, dataset: Dataset): number {
  const isByIds = dataset.entitiesPerSlice !== undefined && slice.entity !== ''
  return isByIds ? slice.entity.split(',').length : mostItems(step.operation)
}
