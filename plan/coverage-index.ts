import type { Slice } from '../datasets/dataset.ts'
import { seriesKey } from './covered.ts'
import { type Interval, merge } from './intervals.ts'

type Series = Omit<Slice, 'fromMs' | 'toMs'>

/** Covered slices by series, for look-up while a plan grows; what is planned is added, so it is planned once. */
export class CoverageIndex {
  readonly #intervals = new Map<string, Interval[]>()
  /** Entities by series without entity: which snapshots of which coins there are. */
  readonly #entities = new Map<string, Set<string>>()

  constructor(covered: readonly Slice[]) {
    for (const slice of covered) this.add(slice)
  }

  /** A slice of several currencies counts for each of them. */
  add(slice: Slice): void {
    for (const vsCurrency of slice.vsCurrency.split(',')) this.#addOne({ ...slice, vsCurrency })
  }

  #addOne(slice: Slice): void {
    const { fromMs, toMs } = slice
    const key = seriesKey(slice)
    const intervals = this.#intervals.get(key)
    if (intervals === undefined) this.#intervals.set(key, [{ fromMs, toMs }])
    else intervals.push({ fromMs, toMs })
    const groupKey = seriesKey({ ...slice, entity: '' })
    const entities = this.#entities.get(groupKey)
    if (entities === undefined) this.#entities.set(groupKey, new Set([slice.entity]))
    else entities.add(slice.entity)
  }

  /** What is there of a series, in normal form. */
  intervals(series: Series): Interval[] {
    return merge(this.#intervals.get(seriesKey(series)) ?? [])
  }

  /** All entities of which there is anything in the series' dataset, currency and granularity. */
  entities(series: Omit<Series, 'entity'>): string[] {
    return [...(this.#entities.get(seriesKey({ ...series, entity: '' })) ?? [])]
  }
}
