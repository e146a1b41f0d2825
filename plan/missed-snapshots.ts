import type { Every } from '../datasets/dataset.ts'
import { bucketAt, dividesEvery, everyOf } from './every.ts'
import { type Interval, subtract, totalMs } from './intervals.ts'
import type { PlanSlicesInput } from './plan-slices.ts'
import type { KnownInterval } from './covered.ts'

/** Due snapshots of a dataset that no run took, from the start of the first to the end of the last. */
export interface MissedSnapshots extends Interval {
  dataset: string
  granularity: Every
  count: number
}

/**
 * Buckets without a snapshot, for each dataset and `every` that has snapshots. They are no gaps, because no later run
 * can fetch them. The current bucket does not count.
 */
export function missedSnapshots(
  { wanted, datasets, nowMs }: Pick<PlanSlicesInput, 'wanted' | 'datasets' | 'nowMs'>,
  ledger: readonly KnownInterval[],
): MissedSnapshots[] {
  const kinds = new Map(datasets.map(({ name, kind }) => [name, kind]))
  const orders = Map.groupBy(
    wanted.filter(({ dataset }) => kinds.get(dataset) === 'snapshot'),
    (one) => `${one.dataset} ${everyOf(one)}`,
  )
  return [...orders.values()].flatMap(([one]) => {
    const { dataset, everyMs } = one!
    const granularity = everyOf(one!)
    const snapshots = ledger
      .filter((had) => had.dataset === dataset && had.state !== 'failed')
      .filter((had) => dividesEvery(had.granularity, everyMs))
    // The ledger merges neighbours, so a long interval covers several buckets.
    const buckets = snapshots.map(({ fromMs, toMs }) => ({
      fromMs: bucketAt(fromMs, everyMs).fromMs,
      toMs: bucketAt(toMs - 1, everyMs).toMs,
    }))
    const firstMs = buckets.reduce((first, { fromMs }) => Math.min(first, fromMs), Infinity)
    const current = bucketAt(nowMs, everyMs)
    const missed = subtract([{ fromMs: firstMs, toMs: current.fromMs }], buckets)
    if (missed.length === 0) return []
    const [fromMs, toMs] = [missed[0]!.fromMs, missed.at(-1)!.toMs]
    return [{ dataset, granularity, count: Math.ceil(totalMs(missed) / everyMs), fromMs, toMs }]
  })
}
