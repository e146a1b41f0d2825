import { selectorText } from '../../config/values/coin-selector.ts'
import type { Slice } from '../../datasets/dataset.ts'
import { seriesKey } from '../../plan/covered.ts'
import { everyOf } from '../../plan/every.ts'
import { intersect, type Interval } from '../../plan/intervals.ts'
import { selectorOf, type Order, type WantedDataset } from '../../plan/order.ts'
import type { Unreachable } from '../../plan/plan-slices.ts'
import { UNREACHABLE_COLUMNS } from '../../sinks/duckdb-store/ledger/slice-rows.ts'
import type { StoreDeps } from '../activity-deps.ts'
import { planFor } from '../plan/plan-run.ts'

type Deps = Pick<StoreDeps, 'clock' | 'config' | 'store'>

/** Code of a slice that the next run fetches, because its id became known during this run. */
export const LEFT_TO_NEXT_RUN = 'LEFT_TO_NEXT_RUN'

/**
 * Plans the order again at the end of a run, and writes two results into the ledger. First: the history that cannot be
 * reached. Second: failed slices for the rest of the history of ids that became known in this run; they make it partial.
 */
export async function noteUnfetchedHistory(deps: Deps, order: Order, runId: string): Promise<void> {
  // A refetch plans only a stretch of each series, so it proves nothing about the rest.
  if (order.refetch === true) return
  const { slices, unreachable } = await planFor(order, deps, runId)
  const noted = await notedBefore(deps)
  const givenUp = Map.groupBy(
    noted.filter(({ reason }) => reason === 'unknown_at_source'),
    seriesKey,
  )
  const postponed = slices.filter((slice) => {
    const stretches = givenUp.get(seriesKey(slice)) ?? []
    return stretches.some(({ fromMs, toMs }) => fromMs < slice.toMs && slice.fromMs < toMs)
  })
  await deps.store.addFailed(runId, postponed, {
    code: LEFT_TO_NEXT_RUN,
    reason: 'the source knows the id now; the next run asks for the rest of its history',
  })
  await deps.store.noteUnreachable(await stretchFinder(deps, order), unreachable)
}

/** The unreachable history of an order, as its last run noted it. */
export async function notedUnreachable(deps: Deps, order: Order): Promise<Unreachable[]> {
  const wantedOf = await stretchFinder(deps, order)
  return (await notedBefore(deps)).flatMap((stretch) =>
    intersect([stretch], wantedOf(stretch)).map((part) => ({ ...stretch, ...part })),
  )
}

async function notedBefore({ store }: Deps): Promise<Unreachable[]> {
  return await store.query<Unreachable>(`SELECT ${UNREACHABLE_COLUMNS} FROM _unreachable`)
}

/** Makes a function that finds the stretches of a series that an order wants; none for a series outside the order. */
async function stretchFinder(
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
          granularitiesOf(one).includes(granularity) &&
          // A list of currencies or ids matches when the order names each of them.
          vsCurrency.split(',').every((code) => one.vsCurrencies.includes(code)) &&
          entity.split(',').every((id) => one.ids.has(id)),
      )
      .map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? Infinity }))
}

/** The granularities of the dataset's slices. A snapshot's granularity is its `every`. */
function granularitiesOf(wanted: WantedDataset): Slice['granularity'][] {
  return wanted.granularity === '' ? ['', everyOf(wanted)] : [wanted.granularity]
}
