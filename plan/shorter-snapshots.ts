import { bucketDatasets } from '../datasets/request/buckets.ts'
import { bucketAt, dividesEvery, everyMsOf, everyOf } from './every.ts'
import type { PlanSlicesInput } from './plan-slices.ts'
import type { KnownInterval } from './covered.ts'

/**
 * The ledger's snapshots of a shorter `every` in the current bucket, as snapshots of the wanted `every`. A plan does not
 * fetch that bucket again.
 */
export function shorterSnapshots(
  { wanted, datasets, nowMs }: Pick<PlanSlicesInput, 'wanted' | 'datasets' | 'nowMs'>,
  ledger: readonly KnownInterval[],
): KnownInterval[] {
  const ofBuckets = bucketDatasets(datasets)
  return wanted.flatMap((one) => {
    if (!ofBuckets.has(one.dataset)) return []
    const [everyMs, granularity] = [everyMsOf(one), everyOf(one)]
    const bucket = bucketAt(nowMs, everyMs)
    return ledger
      .filter(
        (snapshot) =>
          snapshot.dataset === one.dataset &&
          snapshot.state !== 'failed' &&
          snapshot.granularity !== granularity &&
          dividesEvery(snapshot.granularity, everyMs) &&
          snapshot.fromMs < bucket.toMs &&
          snapshot.toMs > bucket.fromMs,
      )
      .map((snapshot) => ({ ...snapshot, granularity, ...bucket }))
  })
}
