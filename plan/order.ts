import { type CoinSelector, selectorText } from '../config/values/coin-selector.ts'
import type { Granularity } from '../datasets/dataset.ts'

/** The wanted part of one dataset, from the config and the flags. Times are epoch ms UTC. */
export interface WantedDataset {
  dataset: string
  /** Ids in their given order; ['']: a dataset without entity; a selector: the universe has its coins. */
  entities: readonly string[] | CoinSelector
  /** ['']: a dataset without currency. */
  vsCurrencies: readonly string[]
  granularity: Granularity | ''
  /** Of range and trailing kinds; else 0. */
  fromMs: number
  /** null: up to now. */
  toMs: number | null
  /** Bucket of a snapshot or catalogue; else 0. */
  everyMs: number
  /** Ids that a selector's choice leaves out. */
  ignore?: readonly string[]
}

/** The wanted datasets of one run. Its hash identifies the plan, and a command with the same order attaches to it. */
export interface Order {
  wanted: readonly WantedDataset[]
  /** Present: covered slices are fetched again. */
  refetch?: true
  /** The time of the plan, for a schedule's window; absent: now. */
  asOfMs?: number
  /** Present: a command began it. The file of a schedule's order stays for good. */
  byHand?: true
}

/** The chosen ids of a wanted dataset; null: its selector has no choice yet. */
export function chosenEntities(
  { entities, ignore = [] }: WantedDataset,
  universes: Readonly<Record<string, readonly string[]>>,
): readonly string[] | null {
  if ('length' in entities) return entities
  return universes[selectorText(entities)]?.filter((id) => !ignore.includes(id)) ?? null
}

/** The selector of a wanted dataset; null: its entities are ids. */
export function selectorOf({ entities }: Pick<WantedDataset, 'entities'>): CoinSelector | null {
  return 'length' in entities ? null : entities
}
