import type { Dataset } from '../dataset.ts'

/** Whether the slices of a dataset are UTC buckets of `every`: its answers show the moment of the request. */
export function isOfBuckets({ kind }: Pick<Dataset, 'kind'>): boolean {
  return kind === 'snapshot' || kind === 'catalogue'
}

export function bucketDatasets(
  datasets: readonly Pick<Dataset, 'name' | 'kind'>[],
): ReadonlySet<string> {
  return new Set(datasets.filter(isOfBuckets).map(({ name }) => name))
}
