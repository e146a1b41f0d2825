import { selectorText } from '../config/coin-selector.ts'
import type { Slice } from '../datasets/dataset.ts'
import type { Interval } from '../plan/intervals.ts'
import { selectorOf, type Order, type WantedDataset } from '../plan/order.ts'
import type { LoadDeps } from './activity-deps.ts'
import { everyOf } from '../plan/every.ts'
import { planFor } from './plan-run.ts'

type Deps = Pick<LoadDeps, 'clock' | 'config' | 'store'>

/**
 * Writes what the order of an ended run wants and cannot have into the ledger, for `coverage`. Planned
 * anew: ids that the run found unknown are in it, what it has brought is not.
 */
export async function noteUnreachable(deps: Deps, order: Order): Promise<void> {
  // A stretch that is asked for again says nothing of the rest of its series.
  if (order.refetch === true) return
  const { unreachable } = await planFor(order, deps)
  await deps.store.noteUnreachable(await stretchesOf(deps, order), unreachable)
}

/** The stretches that an order wants of a series; none of a series that is not the order's. */
async function stretchesOf(
  { store }: Deps,
  { wanted }: Order,
): Promise<(series: Slice) => Interval[]> {
  const groups = await Promise.all(
    wanted.map(async (one) => {
      const { entities } = one
      const selector = selectorOf(one)
      const chosen = selector === null ? null : await store.universe(selectorText(selector))
      return { ...one, ids: new Set('length' in entities ? entities : chosen) }
    }),
  )
  return ({ dataset, entity, vsCurrency, granularity }) =>
    groups
      .filter(
        (one) =>
          one.dataset === dataset &&
          steps(one).includes(granularity) &&
          one.vsCurrencies.includes(vsCurrency) &&
          // Ids that share a request stand together.
          entity.split(',').every((id) => one.ids.has(id)),
      )
      .map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? Infinity }))
}

/** The granularities of its slices; of a snapshot how often it is taken. */
function steps(wanted: WantedDataset): Slice['granularity'][] {
  return wanted.granularity === '' ? ['', everyOf(wanted)] : [wanted.granularity]
}
