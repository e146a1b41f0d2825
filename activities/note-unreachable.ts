import { selectorText } from '../config/coin-selector.ts'
import type { Slice } from '../datasets/dataset.ts'
import { selectorOf, type Order } from '../plan/order.ts'
import type { LoadDeps } from './activity-deps.ts'
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
  await deps.store.noteUnreachable(await seriesOf(deps, order), unreachable)
}

/** Whether a series is one of the order's. */
async function seriesOf({ store }: Deps, { wanted }: Order): Promise<(series: Slice) => boolean> {
  const groups = await Promise.all(
    wanted.map(async (one) => {
      const { entities } = one
      const selector = selectorOf(one)
      const chosen = selector === null ? null : await store.universe(selectorText(selector))
      return { ...one, ids: new Set('length' in entities ? entities : chosen) }
    }),
  )
  return ({ dataset, entity, vsCurrency, granularity }) =>
    groups.some(
      (one) =>
        one.dataset === dataset &&
        one.granularity === granularity &&
        one.vsCurrencies.includes(vsCurrency) &&
        one.ids.has(entity),
    )
}
