import type { CoinSelector } from '../config/values/coin-selector.ts'
import type { Granularity } from '../datasets/dataset.ts'

/** The wanted part of one dataset, from the config and the flags. Times are epoch ms UTC. */
export interface WantedDataset {
  dataset: string
  /** Ids in their given order; [''] for a dataset without entity; a selector while its coins are not chosen. */
  entities: readonly string[] | CoinSelector
  /** [''] for a dataset without currency. */
  vsCurrencies: readonly string[]
  granularity: Granularity | ''
  /** Range and trailing kinds; 0 otherwise. */
  fromMs: number
  /** null = up to now. */
  toMs: number | null
  /** Bucket of a snapshot or catalogue; 0 otherwise. */
  everyMs: number
  /** Ids left out of a selector's choice; absent = none. */
  ignore?: readonly string[]
}

/**
 * The wanted datasets of one run. The hash of the order is the identity of the plan: a command with the same order
 * attaches to the running one.
 */
export interface Order {
  wanted: readonly WantedDataset[]
  /** Present = covered slices are fetched again. */
  refetch?: true
  /** The time of the plan, for a schedule's window; absent = now. */
  asOfMs?: number
  /** Present = a command began it. So it is never the order of a schedule, whose file stays for good. */
  byHand?: true
}

/** The selector of a wanted dataset without chosen coins; null = its entities are ids. */
export function selectorOf({ entities }: Pick<WantedDataset, 'entities'>): CoinSelector | null {
  return 'length' in entities ? null : entities
}
