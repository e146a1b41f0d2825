import { DAY_MS } from '../config/values/duration.ts'
import { datasetLookup } from './dataset-lookup.ts'
import { isOfBuckets } from '../datasets/request/buckets.ts'
import type { Dataset, Slice } from '../datasets/dataset.ts'
import { type Interval, merge } from './intervals.ts'
import { chosenEntities, selectorOf, type WantedDataset } from './order.ts'
import { ANY_COIN, pendingSlices } from './pending-slices.ts'
import { planSlices, type PlanSlicesInput } from './plan-slices.ts'
import { type Bounds, type ItemsLookup, priceSlice } from './price-slice.ts'
import { type OrderPrice, shareOf } from './price.ts'
import { settlementOf } from './settlement.ts'
import { coinsRequest } from './universe.ts'
import { floorToStep } from './utc-grid.ts'
import { newestStep } from './newest-step.ts'

/** The longest month. Calls that fit into it fit into every month. */
export const MONTH_MS = 31 * DAY_MS

export interface RepeatInput extends Pick<
  PlanSlicesInput,
  'wanted' | 'datasets' | 'nowMs' | 'maxHistoryDays' | 'universes'
> {
  /** Labels of the orders in `wanted`. */
  labels: readonly string[]
  lastReadingOf: ItemsLookup
  runEveryMs: number
  monthlyCalls: number | null
}

/** The price of a month of runs after a complete first one. */
export interface RepeatPrice extends Pick<OrderPrice, 'monthShare'> {
  runEveryMs: number
  calls: Bounds
  perDataset: (Pick<OrderPrice, 'dataset' | 'order'> & { calls: Bounds })[]
}

/**
 * The calls of a month of runs after a complete first one at `nowMs`. Each later run is planned with the coverage of
 * the runs before it. While coins are not chosen yet, `min` assumes none and `max` the largest choice. The first run
 * pays for choosing them, so choosing has no price here.
 */
export function repeatPrice(input: RepeatInput): RepeatPrice {
  const datasetOf = datasetLookup(input.datasets)
  const perDataset = input.wanted.map((wanted, place) => {
    const dataset = datasetOf(wanted.dataset)
    const calls = (isOfBuckets(dataset) ? bucketCalls : seriesCalls)(input, place, dataset)
    return { dataset: dataset.name, order: input.labels[place] ?? '', calls }
  })
  const calls = sumOf(perDataset.map((one) => one.calls))
  const { runEveryMs, monthlyCalls } = input
  return { runEveryMs, calls, monthShare: shareOf(calls, monthlyCalls), perDataset }
}

function laterRunTimes({ nowMs, runEveryMs }: RepeatInput): number[] {
  const count = Math.floor(MONTH_MS / runEveryMs)
  return Array.from({ length: count }, (_, index) => nowMs + (index + 1) * runEveryMs)
}

/** Each new bucket costs as much as the first. Snapshots that another order fetches cost nothing here. */
function bucketCalls(input: RepeatInput, place: number, dataset: Dataset): Bounds {
  const wanted = input.wanted[place]!
  const bucketOf = (ms: number): number => floorToStep(ms, wanted.everyMs)
  const buckets = new Set(laterRunTimes(input).map(bucketOf))
  buckets.delete(bucketOf(input.nowMs))
  const ofDataset = input.wanted.filter((one) => one.dataset === dataset.name)
  const planned = { ...input, wanted: ofDataset, covered: [] }
  const isOwn = (order: number): boolean => ofDataset[order] === wanted
  const plan = planSlices(planned)
  const slices = plan.slices.filter((_, index) => isOwn(plan.orders[index]!))
  const calls = sumOf(slices.map((slice) => callsOf(input, slice, dataset, input.nowMs)))
  for (const { slice, times, order } of pendingSlices(planned, plan)) {
    if (!isOwn(order)) continue
    calls.max += callsOf(input, slice, dataset, input.nowMs).max * times
  }
  return { min: calls.min * buckets.size, max: calls.max * buckets.size }
}

/** Follows one series through the month. All series of an order cost the same. */
function seriesCalls(input: RepeatInput, place: number, dataset: Dataset): Bounds {
  const wanted = input.wanted[place]!
  const entity = 'length' in wanted.entities ? (wanted.entities[0] ?? '') : ANY_COIN
  const series = {
    dataset: dataset.name,
    entity,
    vsCurrency: wanted.vsCurrencies[0] ?? '',
    granularity: wanted.granularity,
  }
  const one = { ...wanted, entities: [entity], vsCurrencies: [series.vsCurrency] }
  let done: Interval[] = []
  /** Provisional ends that need no call before `recheckAtMs`. */
  let fresh: (Interval & { recheckAtMs: number })[] = []
  const run = (nowMs: number): Bounds => {
    fresh = fresh.filter(({ recheckAtMs }) => nowMs < recheckAtMs)
    if (fresh.length > 0) return sumOf([])
    const covered = done.map((part) => ({ ...series, ...part }))
    const { slices } = planSlices({ ...input, wanted: [one], covered, nowMs })
    for (const slice of slices) {
      const times = usualTimes(slice, nowMs, dataset)
      const { settledToMs, recheckAtMs } = settlementOf(slice, nowMs, dataset, times)
      done = merge([...done, { fromMs: slice.fromMs, toMs: settledToMs }])
      if (recheckAtMs !== null) fresh.push({ fromMs: settledToMs, toMs: slice.toMs, recheckAtMs })
    }
    return sumOf(slices.map((slice) => callsOf(input, slice, dataset, nowMs)))
  }
  run(input.nowMs)
  const month = sumOf(laterRunTimes(input).map(run))
  const count = seriesCount(input, place)
  return { min: month.min * count.min, max: month.max * count.max }
}

/** Count of the series that no earlier order keeps up to date. */
function seriesCount({ universes, wanted }: RepeatInput, place: number): Bounds {
  const { dataset, vsCurrencies, granularity, toMs } = wanted[place]!
  const seriesOf = (one: WantedDataset): string[] | null => {
    const chosen = chosenEntities(one, universes)
    return chosen?.flatMap((id) => one.vsCurrencies.map((vs) => JSON.stringify([id, vs]))) ?? null
  }
  const own = seriesOf(wanted[place]!)
  if (own === null) {
    const { mostCoins } = coinsRequest(selectorOf(wanted[place]!)!)
    return { min: 0, max: mostCoins * new Set(vsCurrencies).size }
  }
  const earlier = wanted
    .slice(0, place)
    .filter((one) => one.dataset === dataset && one.granularity === granularity)
    .filter((one) => one.toMs === null || (toMs !== null && one.toMs >= toMs))
  const kept = new Set(earlier.flatMap((one) => seriesOf(one) ?? []))
  const count = [...new Set(own)].filter((series) => !kept.has(series)).length
  return { min: count, max: count }
}

function callsOf(
  { maxHistoryDays, lastReadingOf }: RepeatInput,
  slice: Slice,
  dataset: Dataset,
  nowMs: number,
): Bounds {
  return priceSlice(slice, dataset, { nowMs, attempt: 1, maxHistoryDays }, lastReadingOf).calls
}

function sumOf(all: readonly Bounds[]): Bounds {
  return all.reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }), {
    min: 0,
    max: 0,
  })
}

/** Usual times of an answer's last points: one on each step, and the moving point. */
export function usualTimes(slice: Slice, fetchedAtMs: number, dataset: Dataset): number[] {
  const { fromMs, toMs, granularity } = slice
  const step = newestStep(dataset, granularity, fetchedAtMs)
  const stepMs = step.toMs - step.fromMs
  const newestMs = fetchedAtMs < step.dueMs ? step.fromMs - stepMs : step.fromMs
  const earliestMs = Math.max(fromMs, fetchedAtMs - dataset.settleMs(granularity) - stepMs)
  const times: number[] = dataset.isOfCandles === true ? [] : [fetchedAtMs]
  for (let ms = newestMs; ms >= earliestMs; ms -= stepMs) times.unshift(ms)
  return times.filter((ms) => ms < toMs)
}
