import { bucketDatasets } from '../datasets/request/buckets.ts'
import { selectorText } from '../config/values/coin-selector.ts'
import type { Dataset } from '../datasets/dataset.ts'
import { selectorOf, type WantedDataset } from './order.ts'

/** The bias of histories of chosen coins, for all commands. */
export const SURVIVORSHIP =
  'the choice is of what is listed when the first backfill starts, so its history leaves out coins that had fallen or gone by then (survivorship bias)'

/** A line for each selector of a history. Snapshots and delisted coins have no such bias. */
export function survivorshipLines(
  wanted: readonly WantedDataset[],
  datasets: readonly Pick<Dataset, 'name' | 'kind'>[],
): string[] {
  const ofBuckets = bucketDatasets(datasets)
  const histories = wanted.filter(({ dataset }) => !ofBuckets.has(dataset))
  const selectors = histories.flatMap((one) => selectorOf(one) ?? [])
  const biased = new Set(selectors.filter((one) => !('inactive' in one)).map(selectorText))
  return [...biased].map((selector) => `${selector}: ${SURVIVORSHIP}`)
}
