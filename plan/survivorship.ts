import { selectorText } from '../config/coin-selector.ts'
import type { Dataset } from '../datasets/dataset.ts'
import { selectorOf } from './order.ts'
import type { WantedDataset } from './order.ts'

/** The bias of histories of chosen coins, in the words of every place where the choice is made. */
export const SURVIVORSHIP =
  'the choice is of what is listed when the first backfill starts, so its history leaves out coins that had fallen or gone by then (survivorship bias)'

/** A line for each selector that histories are asked of; snapshots of what is listed now leave nothing out. */
export function survivorshipLines(
  wanted: readonly WantedDataset[],
  datasets: readonly Pick<Dataset, 'name' | 'kind'>[],
): string[] {
  const histories = wanted.filter(({ dataset }) => {
    const kind = datasets.find(({ name }) => name === dataset)?.kind
    return kind === 'range' || kind === 'dated' || kind === 'trailing'
  })
  const selectors = histories.flatMap((one) => selectorOf(one) ?? [])
  const biased = new Set(selectors.filter((one) => !('inactive' in one)).map(selectorText))
  return [...biased].map((selector) => `${selector}: ${SURVIVORSHIP}`)
}
