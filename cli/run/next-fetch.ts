import { DAY_MS } from '../../config/values/duration.ts'
import { isOfBuckets } from '../../datasets/request/buckets.ts'
import { planFor } from '../../activities/plan/plan-run.ts'
import { frozenClock } from '../../config/clock.ts'
import type { Config } from '../../config/config.ts'
import type { Dataset } from '../../datasets/dataset.ts'
import { bucketAt } from '../../plan/every.ts'
import { newestStep } from '../../plan/newest-step.ts'
import type { Order, WantedDataset } from '../../plan/order.ts'
import { nextTryMs } from '../../plan/unknown-ids.ts'
import { floorToStep } from '../../plan/utc-grid.ts'
import type { Store } from '../../sinks/duckdb-store/open-store.ts'

const MOST_MOMENTS = 50

/**
 * The next time at which a plan has slices, ms, for a warehouse that has nothing to do now. Only times at which a slice
 * can begin are tried. null: never, or not known.
 */
export async function nextFetchMs(
  order: Order,
  datasets: readonly Dataset[],
  { config, store, nowMs }: { config: Config; store: LedgerAhead; nowMs: number },
): Promise<number | null> {
  const moments = [
    ...(await store.rechecksAfter(nowMs)),
    ...(await store.unknownEntities(null)).map(nextTryMs),
    ...order.wanted.flatMap((wanted) => {
      const dataset = datasets.find(({ name }) => name === wanted.dataset)
      return dataset === undefined ? [] : nextBeginsMs(wanted, dataset, nowMs)
    }),
  ].filter((ms) => ms > nowMs)
  // Each time costs a plan, so only the first ones are tried.
  for (const ms of [...new Set(moments.sort((a, b) => a - b))].slice(0, MOST_MOMENTS)) {
    const { slices } = await planFor(order, { clock: frozenClock(ms), config, store })
    if (slices.length > 0) return ms
  }
  return null
}

type LedgerAhead = Pick<Store, 'covered' | 'universe' | 'unknownEntities' | 'rechecksAfter'>

/** The next times at which a slice can begin: a new bucket, a closed day, or a due point. */
function nextBeginsMs(wanted: WantedDataset, dataset: Dataset, nowMs: number): number[] {
  const { granularity } = wanted
  if (isOfBuckets(dataset)) return [bucketAt(nowMs, wanted.everyMs).toMs]
  if (dataset.kind === 'dated') {
    const settleMs = dataset.settleMs(granularity)
    return [floorToStep(nowMs - settleMs, DAY_MS) + DAY_MS + settleMs]
  }
  const { fromMs, toMs, dueMs } = newestStep(dataset, granularity, nowMs)
  return [dueMs, dueMs + toMs - fromMs]
}
