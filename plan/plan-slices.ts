import { DAY_MS } from '../config/values/duration.ts'
import { datasetLookup } from './dataset-lookup.ts'
import { isOfBuckets } from '../datasets/request/buckets.ts'
import { GRANULARITY_MS } from '../api/granularity.ts'
import { type CoinSelector, selectorText } from '../config/values/coin-selector.ts'
import type { Dataset, Slice } from '../datasets/dataset.ts'
import type { Covered, Series } from './covered.ts'
import { CoverageIndex } from './coverage-index.ts'
import { newestStep } from './newest-step.ts'
import { type Interval, clip, intersect, merge, subtract } from './intervals.ts'
import { chosenEntities, selectorOf, type WantedDataset } from './order.ts'
import { planBuckets } from './plan-buckets.ts'
import { type UnknownEntity, unknownIdLookup } from './unknown-ids.ts'
import { ceilToStep, floorToStep, gridStepMs } from './utc-grid.ts'

/** Wanted history that no request can bring. Commands list it. */
export interface Unreachable extends Slice {
  /**
   * `source_reach`: the source does not reach back that far.
   * `plan_limit`: the API key's plan does not reach back that far.
   * `unknown_at_source`: the source does not know the id.
   */
  reason: 'source_reach' | 'plan_limit' | 'unknown_at_source'
}

export interface PlanSlicesInput {
  wanted: readonly WantedDataset[]
  covered: readonly Covered[]
  nowMs: number
  /**
   * The real now: only its buckets can be fetched, and the reach counts from it. A late window has an earlier `nowMs`.
   * Default: `nowMs`.
   */
  bucketNowMs?: number
  datasets: readonly Dataset[]
  /** Days that the API key's plan reaches back; null: no limit. */
  maxHistoryDays: number | null
  /** Frozen choices by selector text (`top:100`). */
  universes: Readonly<Record<string, readonly string[]>>
  /** Ids that the source does not know. Only their first slice is tried, now and then (unknown-ids.ts). */
  unknown?: readonly UnknownEntity[]
  /** true: each gap is one slice, because the caller wants the state, not the requests. */
  uncut?: boolean
}

export interface SlicePlan {
  /** In the order of fetching. */
  slices: Slice[]
  /** For each slice the index in `wanted` of its order, the first one that wants it. */
  orders: number[]
  unreachable: Unreachable[]
  /** Selectors without chosen coins; their datasets have no slices yet. */
  pendingUniverses: CoinSelector[]
}

/** Distance of the oldest slice from the limit of the key's plan. The limit moves on during a run. */
const HISTORY_MARGIN_MS = GRANULARITY_MS['1h']

/**
 * Plans the fetches: wanted minus covered, cut into slices. Pure.
 *
 * - range, trailing: each gap is cut from the left by the dataset's longest slice. So a resumed or widened range is cut
 *   at the same places as before. The newest slice ends with the current step and is provisional. A slice within that
 *   step waits until the source has its point (current-step.ts).
 * - dated: whole UTC days.
 * - snapshot, catalogue: the current bucket of `every` (plan-buckets.ts).
 *
 * Order: perishable kinds first (FETCH_ORDER), the shortest `every` first. Within a dataset by entity and currency as
 * ordered, oldest first. So a run cut short leaves whole series, and every load touches few months.
 *
 * @throws RangeError when a wanted dataset is not among `datasets`
 */
export function planSlices(input: PlanSlicesInput): SlicePlan {
  const plan: Omit<SlicePlan, 'pendingUniverses'> = { slices: [], orders: [], unreachable: [] }
  const pending = new Map<string, CoinSelector>()
  const index = new CoverageIndex(input.covered.filter(({ isDueAgain }) => isDueAgain !== true))
  const coveredEver = new CoverageIndex(input.covered)
  const { nowMs, bucketNowMs = nowMs, uncut: isStateWanted = false } = input
  // An uncut plan makes no calls, so no try of an unknown id is due.
  const unknown = unknownIdLookup(input.unknown ?? [], isStateWanted ? -Infinity : nowMs)
  const datasetOf = datasetLookup(input.datasets)
  const ordered = input.wanted
    .map((wanted, place) => {
      const entities = chosenEntities(wanted, input.universes)
      return { wanted, dataset: datasetOf(wanted.dataset), place, entities }
    })
    .sort(
      (a, b) =>
        FETCH_ORDER[a.dataset.kind] - FETCH_ORDER[b.dataset.kind] ||
        a.wanted.everyMs - b.wanted.everyMs,
    )
  for (const [turn, { wanted, dataset, place, entities }] of ordered.entries()) {
    if (entities === null) {
      const selector = selectorOf(wanted)!
      pending.set(selectorText(selector), selector)
    } else if (isOfBuckets(dataset)) {
      const facts = { wanted, dataset, index, nowMs: bucketNowMs, isStateWanted }
      const bucketsOf = (some: readonly string[]): Slice[] =>
        planBuckets({ ...facts, entities: some })
      const isUnknown = (entity: string): boolean => unknown.has(dataset.name, entity)
      // Unknown ids cost no call where they share a request with others.
      const isFree = dataset.entitiesPerSlice !== undefined && !isStateWanted
      const asked = entities.filter((entity) => isFree || !isUnknown(entity))
      const slices = bucketsOf(asked)
      for (const slice of bucketsOf(entities.filter(isUnknown))) {
        plan.unreachable.push({ ...slice, reason: 'unknown_at_source' })
        if (!isFree && unknown.isDue(dataset.name, slice.entity)) slices.push(slice)
      }
      for (const slice of slices) {
        plan.slices.push(slice)
        index.add(slice)
      }
    } else {
      const later = ordered
        .slice(turn + 1)
        .filter((one) => one.dataset === dataset && one.wanted.granularity === wanted.granularity)
        .map((one) => ({ wanted: one.wanted, ids: new Set(one.entities) }))
      planSeries({ wanted, dataset, entities, later, index, coveredEver, input, unknown, plan })
    }
    while (plan.orders.length < plan.slices.length) plan.orders.push(place)
  }
  return { ...plan, pendingUniverses: [...pending.values()] }
}

/** Kinds with lower numbers are fetched first, because their values are lost sooner. */
const FETCH_ORDER = { catalogue: 0, snapshot: 0, trailing: 1, range: 2, dated: 2 } as const

/** Plans range, trailing and dated: the gaps in every series of one wanted dataset. */
function planSeries(work: {
  wanted: WantedDataset
  dataset: Dataset
  entities: readonly string[]
  /** Later orders of the same dataset and granularity. */
  later: readonly { wanted: WantedDataset; ids: ReadonlySet<string> }[]
  index: CoverageIndex
  /** Covered intervals, even those that are due again. */
  coveredEver: CoverageIndex
  input: PlanSlicesInput
  unknown: ReturnType<typeof unknownIdLookup>
  plan: Pick<SlicePlan, 'slices' | 'unreachable'>
}): void {
  const { wanted, dataset, entities, later, index, coveredEver, input, unknown, plan } = work
  const { granularity } = wanted
  const dated = dataset.kind === 'dated'
  const longestMs = dated ? DAY_MS : dataset.maxSliceMs(granularity)
  const maxSliceMs = input.uncut === true ? Infinity : longestMs
  const step = newestStep(dataset, granularity, input.nowMs)
  const isDue = ({ fromMs }: Interval): boolean => fromMs < step.fromMs || input.nowMs >= step.dueMs
  const boundsOf = (one: WantedDataset): Interval =>
    dated
      ? closedDays(one, input.nowMs - dataset.settleMs(granularity))
      : { fromMs: one.fromMs, toMs: Math.min(one.toMs ?? Infinity, step.toMs) }
  const own = boundsOf(wanted)
  const limits = reachLimits(input, dataset, granularity)
  // A lost stretch that was never loaded is unreachable. The index gets it, so that no later order reports it again.
  const addUnreachable = (
    lost: readonly Interval[],
    series: Series,
    reason: Unreachable['reason'],
  ): void => {
    for (const gap of subtract(lost, coveredEver.intervals(series))) {
      plan.unreachable.push({ ...series, ...gap, reason })
      index.add({ ...series, ...gap })
    }
  }
  for (const entity of entities) {
    for (const vsCurrency of wanted.vsCurrencies) {
      const series = { dataset: dataset.name, entity, vsCurrency, granularity }
      // A later order's adjacent or overlapping stretch of this series joins this one: two would cost two requests.
      const laterBounds = later
        .filter((one) => one.ids.has(entity) && one.wanted.vsCurrencies.includes(vsCurrency))
        .map((one) => boundsOf(one.wanted))
      const bounds = merge([own, ...laterBounds]).filter(
        (part) => intersect([part], [own]).length > 0,
      )
      let gaps = subtract(bounds, index.intervals(series))
      for (const { reason, earliestMs } of limits) {
        const lost = clip(gaps, { fromMs: -Infinity, toMs: earliestMs })
        addUnreachable(lost, series, reason)
        gaps = clip(gaps, { fromMs: earliestMs, toMs: Infinity })
      }
      let slices = gaps
        .flatMap((gap) => cut(dated ? wholeDays(gap) : gap, maxSliceMs))
        .filter((bound) => dated || isDue(bound))
        .map((bound) => ({ ...series, ...bound }))
      if (unknown.has(dataset.name, entity)) {
        addUnreachable(gaps, series, 'unknown_at_source')
        slices = unknown.isDue(dataset.name, entity) ? slices.slice(0, 1) : []
      }
      for (const slice of slices) {
        plan.slices.push(slice)
        index.add(slice)
      }
    }
  }
}

/** Whole days that are over. Before that, the answer for a day is not final. */
function closedDays({ fromMs, toMs }: WantedDataset, settledToMs: number): Interval {
  const settledMs = floorToStep(settledToMs, DAY_MS)
  return wholeDays({ fromMs, toMs: Math.min(toMs ?? settledMs, settledMs) })
}

/**
 * The earliest times that the source and the key's plan reach back to. They lie on the grid, so that all plans
 * within a step have the same slices. A range still has the later points of a cut step; a cut candle is gone.
 */
export function reachLimits(
  {
    nowMs: plannedMs,
    bucketNowMs: nowMs = plannedMs,
    maxHistoryDays,
  }: Pick<PlanSlicesInput, 'nowMs' | 'bucketNowMs' | 'maxHistoryDays'>,
  dataset: Dataset,
  granularity: Slice['granularity'],
): { reason: Unreachable['reason']; earliestMs: number }[] {
  const limits: { reason: Unreachable['reason']; earliestMs: number }[] = []
  const reachMs = dataset.reachMs(granularity)
  if (reachMs !== null) {
    const toStep = dataset.kind === 'range' ? floorToStep : ceilToStep
    const earliestMs = toStep(nowMs - reachMs, gridStepMs(dataset, granularity))
    limits.push({ reason: 'source_reach', earliestMs })
  }
  if (maxHistoryDays !== null) {
    const oldestMs = nowMs - maxHistoryDays * DAY_MS + HISTORY_MARGIN_MS
    limits.push({ reason: 'plan_limit', earliestMs: ceilToStep(oldestMs, DAY_MS) })
  }
  return limits
}

function wholeDays({ fromMs, toMs }: Interval): Interval {
  return { fromMs: floorToStep(fromMs, DAY_MS), toMs: ceilToStep(toMs, DAY_MS) }
}

function cut({ fromMs, toMs }: Interval, maxSliceMs: number): Interval[] {
  const pieces: Interval[] = []
  for (let startMs = fromMs; startMs < toMs; startMs += maxSliceMs) {
    pieces.push({ fromMs: startMs, toMs: Math.min(toMs, startMs + maxSliceMs) })
  }
  return pieces
}
