import type { Granularity } from '../datasets/dataset.ts'

/** The newest ranking of coins by market cap, cut at `count`; frozen in the ledger when first used. */
export interface TopSelector {
  top: number
}

/** What one dataset of a run should hold, as the config and the flags say it. Times are epoch ms UTC. */
export interface WantedDataset {
  dataset: string
  /** Ids in the order given; [''] when the dataset has no entity; a selector while it is not chosen yet. */
  entities: readonly string[] | TopSelector
  /** [''] when the dataset has no currency. */
  vsCurrencies: readonly string[]
  granularity: Granularity | ''
  /** Range and trailing kinds; 0 otherwise. */
  fromMs: number
  /** null = up to now, as far as points are settled. */
  toMs: number | null
  /** Bucket of a snapshot or catalogue; 0 otherwise. */
  everyMs: number
}

/** Everything one run is asked for. Its hash is the identity of the plan: the same order attaches to a running one. */
export interface Order {
  wanted: readonly WantedDataset[]
}
