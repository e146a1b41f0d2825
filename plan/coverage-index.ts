import type { Slice } from '../datasets/dataset.ts'
import { type Series, seriesKey } from './covered.ts'
import { type Interval, merge } from './intervals.ts'

/** Covered slices by series. A growing plan adds its own slices, so that each is planned once. */
export class CoverageIndex {
  readonly #ofSeries = new Map<string, Slice[]>()
  /** Slices by dataset and currency, of whatever entities and granularity. */
  readonly #ofCurrency = new Map<string, Slice[]>()

  constructor(covered: readonly Slice[]) {
    for (const slice of covered) this.add(slice)
  }

  /** A slice of several currencies counts for each of them. */
  add(slice: Slice): void {
    for (const vsCurrency of slice.vsCurrency.split(',')) {
      addTo(this.#ofSeries, seriesKey({ ...slice, vsCurrency }), slice)
      addTo(this.#ofCurrency, currencyKey({ ...slice, vsCurrency }), slice)
    }
  }

  /** The covered intervals of a series, merged and sorted. */
  intervals(series: Series): Interval[] {
    return merge(this.#ofSeries.get(seriesKey(series)) ?? [])
  }

  /** Covered slices of a dataset and currency with a moment of `at`. The entity of a snapshot may be a csv of ids. */
  overlapping(series: Pick<Series, 'dataset' | 'vsCurrency'>, at: Interval): Slice[] {
    const slices = this.#ofCurrency.get(currencyKey(series)) ?? []
    return slices.filter(({ fromMs, toMs }) => fromMs < at.toMs && toMs > at.fromMs)
  }
}

function currencyKey({ dataset, vsCurrency }: Pick<Series, 'dataset' | 'vsCurrency'>): string {
  return seriesKey({ dataset, vsCurrency, entity: '', granularity: '' })
}

function addTo(lists: Map<string, Slice[]>, key: string, slice: Slice): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [slice])
  else list.push(slice)
}
