import type { CoinSelector } from '../config/coin-selector.ts'
import type { Granularity } from '../datasets/dataset.ts'

/** What one dataset of a run should hold, as the config and the flags say it. Times are epoch ms UTC. */
export interface WantedDataset {
  dataset: string
  /** Ids in the order given; [''] when the dataset has no entity; a selector while it is not chosen yet. */
  entities: readonly string[] | CoinSelector
  /** [''] when the dataset has no currency. */
  vsCurrencies: readonly string[]
  granularity: Granularity | ''
  /** Range and trailing kinds; 0 otherwise. */
  fromMs: number
  /** null = up to now, as far as points are settled. */
  toMs: number | null
  /** Bucket of a snapshot or catalogue; 0 otherwise. */
  everyMs: number
  /** Ids that a selector may have chosen and that are not asked for; absent = none. */
  ignore?: readonly string[]
}

/** Everything one run is asked for. Its hash is the identity of the plan: the same order attaches to a running one. */
export interface Order {
  wanted: readonly WantedDataset[]
  /** Asked again on purpose: what is covered is fetched all the same. */
  refetch?: true
  /** The time it is planned for: that of a schedule. Absent = when the plan is made. */
  asOfMs?: number
}

/** The selector of a wanted dataset whose coins are still to be chosen; null when it lists ids. */
export function selectorOf({ entities }: Pick<WantedDataset, 'entities'>): CoinSelector | null {
  return 'length' in entities ? null : entities
}
