import type { Slice } from '../datasets/dataset.ts'
import { type Series, seriesKey } from './covered.ts'
import { type Interval, merge } from './intervals.ts'

/** Covered slices by series. A growing plan adds its own slices, so that each is planned once. */
export class CoverageIndex {
  readonly #intervals = new Map<string, Interval[]>()
  /** Covered entities by dataset, currency and granularity. The entity of a snapshot may be a csv of ids. */
  readonly #entities = new Map<string, Set<string>>()
  /** Granularities by dataset and currency: each is the `every` of a snapshot. */
  readonly #granularities = new Map<string, Set<Slice['granularity']>>()

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
    addTo(this.#entities, seriesKey({ ...slice, entity: '' }), slice.entity)
    const plainKey = seriesKey({ ...slice, entity: '', granularity: '' })
    addTo(this.#granularities, plainKey, slice.granularity)
  }

  /** The covered intervals of a series, merged and sorted. */
  intervals(series: Series): Interval[] {
    return merge(this.#intervals.get(seriesKey(series)) ?? [])
  }

  entities(series: Omit<Series, 'entity'>): string[] {
    return [...(this.#entities.get(seriesKey({ ...series, entity: '' })) ?? [])]
  }

  granularities(series: Pick<Series, 'dataset' | 'vsCurrency'>): Slice['granularity'][] {
    const key = seriesKey({ ...series, entity: '', granularity: '' })
    return [...(this.#granularities.get(key) ?? [])]
  }
}

function addTo<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([value]))
  else set.add(value)
}
