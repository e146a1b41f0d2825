import { DAY_MS } from '../api/granularity.ts'
import { selectorText } from '../config/coin-selector.ts'
import type { Dataset, Slice } from '../datasets/dataset.ts'
import { type Interval, merge } from './intervals.ts'
import type { WantedDataset } from './order.ts'
import { pendingSlices } from './pending-slices.ts'
import { planSlices, type PlanSlicesInput } from './plan-slices.ts'
import { type Bounds, type ItemsKnown, priceSlice } from './price-slice.ts'
import { shareOf } from './price.ts'
import { settled } from './settled.ts'
import { universeStep } from './universe.ts'
import { usualTimes } from './usual-times.ts'
import { floorToStep } from './utc-grid.ts'

/** The longest month there is: what fits into a key's month then fits into every month. */
export const MONTH_MS = 31 * DAY_MS

export interface RepeatInput extends Pick<
  PlanSlicesInput,
  'wanted' | 'datasets' | 'nowMs' | 'maxHistoryDays' | 'universes'
> {
  itemsKnown: ItemsKnown
  /** Time from one run to the next. */
  runEveryMs: number
  monthlyCalls: number | null
}

/** What a month of runs costs once the first one is complete. */
export interface RepeatPrice {
  runEveryMs: number
  calls: Bounds
  /** Of the month's calls; null where no ceiling is known. */
  monthShare: Bounds | null
  perDataset: { dataset: string; calls: Bounds }[]
}

/**
 * The calls of a month of runs after a complete first one at `nowMs`: the same plan at each later
 * time, given what the runs before it settled. Coins that are still to be chosen count from none to
 * all that the choice may hold; choosing them belongs to the first run.
 */
export function repeatPrice(input: RepeatInput): RepeatPrice {
  const byName = new Map(input.datasets.map((dataset) => [dataset.name, dataset]))
  const perDataset = input.wanted.map((wanted) => {
    const dataset = byName.get(wanted.dataset)
    if (dataset === undefined) throw new RangeError(`no such dataset: ${wanted.dataset}`)
    const isBucket = dataset.kind === 'snapshot' || dataset.kind === 'catalogue'
    const calls = (isBucket ? bucketCalls : seriesCalls)(input, wanted, dataset)
    return { dataset: dataset.name, calls }
  })
  const calls = sumOf(perDataset.map((one) => one.calls))
  const { runEveryMs, monthlyCalls } = input
  return { runEveryMs, calls, monthShare: shareOf(calls, monthlyCalls), perDataset }
}

/** When a run begins after the first one, within the month. */
function laterRuns({ nowMs, runEveryMs }: RepeatInput): number[] {
  const count = Math.floor(MONTH_MS / runEveryMs)
  return Array.from({ length: count }, (_, index) => nowMs + (index + 1) * runEveryMs)
}

/** Each bucket that a run meets costs what the first one does: all of it is missing. */
function bucketCalls(input: RepeatInput, wanted: WantedDataset, dataset: Dataset): Bounds {
  const everyMs = wanted.everyMs > 0 ? wanted.everyMs : DAY_MS
  const bucketOf = (ms: number): number => floorToStep(ms, everyMs)
  const buckets = new Set(laterRuns(input).map(bucketOf))
  buckets.delete(bucketOf(input.nowMs))
  const planned = { ...input, wanted: [wanted], covered: [] }
  const plan = planSlices(planned)
  const calls = sumOf(plan.slices.map((slice) => callsOf(input, slice, dataset, input.nowMs)))
  for (const { slice, times } of pendingSlices(planned, plan)) {
    calls.max += callsOf(input, slice, dataset, input.nowMs).max * times
  }
  return { min: calls.min * buckets.size, max: calls.max * buckets.size }
}

/** All series of a dataset move on alike: one is followed through the month and stands for all. */
function seriesCalls(input: RepeatInput, wanted: WantedDataset, dataset: Dataset): Bounds {
  const entity = 'length' in wanted.entities ? (wanted.entities[0] ?? '') : ANY_COIN
  const series = {
    dataset: dataset.name,
    entity,
    vsCurrency: wanted.vsCurrencies[0] ?? '',
    granularity: wanted.granularity,
  }
  const one = { ...wanted, entities: [entity], vsCurrencies: [series.vsCurrency] }
  let done: Interval[] = []
  /** Provisional ends, which need no call before their time. */
  let fresh: (Interval & { recheckAtMs: number })[] = []
  const run = (nowMs: number): Bounds => {
    fresh = fresh.filter(({ recheckAtMs }) => nowMs < recheckAtMs)
    // It tells of the next step, too: nothing is due before.
    if (fresh.length > 0) return NO_CALLS
    const covered = done.map((part) => ({ ...series, ...part }))
    const { slices } = planSlices({ ...input, wanted: [one], covered, nowMs })
    for (const slice of slices) {
      const times = usualTimes(slice, nowMs, dataset)
      const { settledToMs, recheckAtMs } = settled(slice, nowMs, dataset, times)
      done = merge([...done, { fromMs: slice.fromMs, toMs: settledToMs }])
      if (recheckAtMs !== null) fresh.push({ fromMs: settledToMs, toMs: slice.toMs, recheckAtMs })
    }
    return sumOf(slices.map((slice) => callsOf(input, slice, dataset, nowMs)))
  }
  run(input.nowMs)
  const month = sumOf(laterRuns(input).map(run))
  const count = seriesCount(input, wanted)
  return { min: month.min * count.min, max: month.max * count.max }
}

const NO_CALLS: Bounds = { min: 0, max: 0 }

/** Stands for a coin that is still to be chosen. */
const ANY_COIN = '?'

function seriesCount({ universes }: RepeatInput, wanted: WantedDataset): Bounds {
  const { entities, vsCurrencies } = wanted
  const currencies = new Set(vsCurrencies).size
  const chosen = 'length' in entities ? entities : universes[selectorText(entities)]
  if (chosen === undefined && !('length' in entities)) {
    return { min: 0, max: universeStep(entities).mostCoins * currencies }
  }
  const count = new Set(chosen).size * currencies
  return { min: count, max: count }
}

function callsOf(
  { maxHistoryDays, itemsKnown }: RepeatInput,
  slice: Slice,
  dataset: Dataset,
  nowMs: number,
): Bounds {
  return priceSlice(slice, dataset, { nowMs, attempt: 1, maxHistoryDays }, itemsKnown).calls
}

function sumOf(all: readonly Bounds[]): Bounds {
  return all.reduce((sum, { min, max }) => ({ min: sum.min + min, max: sum.max + max }), {
    min: 0,
    max: 0,
  })
}
