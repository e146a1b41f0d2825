import { DAY_MS } from '../config/values/duration.ts'
import { type CoinSelector, selectorText } from '../config/values/coin-selector.ts'
import { seriesKey } from './covered.ts'
import { totalMs } from './intervals.ts'
import { selectorOf } from './order.ts'
import { ANY_COIN } from './pending-slices.ts'
import { type PlanSlicesInput, planSlices, type Unreachable } from './plan-slices.ts'

/** Unreachable history of one dataset, granularity and reason, over all series. */
export interface UnreachableSum extends Pick<Unreachable, 'dataset' | 'granularity' | 'reason'> {
  /** Series that lack some history, and their days together; null: the number of coins is unknown. */
  series: number | null
  days: number | null
  /** The selector of unchosen coins, and the days that each of them lacks; null: the series are known. */
  selector: string | null
  daysEach: number | null
  /** The first unreachable moment of any series, and the last end. */
  fromMs: number
  toMs: number
}

export interface UnreachableHistory {
  /** Days with fractions, without selectors of an unknown number of coins. */
  days: number
  datasets: UnreachableSum[]
}

/** Sums unreachable stretches by dataset, granularity and reason, in their order. */
export function unreachableHistory(
  unreachable: readonly Unreachable[],
  pending: readonly UnreachableSum[] = [],
): UnreachableHistory {
  const groups = Map.groupBy(unreachable, ({ dataset, granularity, reason }) =>
    JSON.stringify([dataset, granularity, reason]),
  )
  const sums = [...groups.values()].map((group): UnreachableSum => {
    const { dataset, granularity, reason } = group[0]!
    return {
      dataset,
      granularity,
      reason,
      series: new Set(group.map(seriesKey)).size,
      days: totalMs(group) / DAY_MS,
      selector: null,
      daysEach: null,
      fromMs: group.reduce((first, { fromMs }) => Math.min(first, fromMs), Infinity),
      toMs: group.reduce((last, { toMs }) => Math.max(last, toMs), -Infinity),
    }
  })
  const datasets = [...sums, ...pending]
  return { days: datasets.reduce((sum, { days }) => sum + (days ?? 0), 0), datasets }
}

/**
 * The unreachable history of selectors whose coins are not chosen yet. `top:N` counts as N coins. Other selectors tell
 * only the days that each coin lacks.
 */
export function pendingUnreachable(
  input: Omit<PlanSlicesInput, 'covered'>,
  selectors: readonly CoinSelector[],
): UnreachableSum[] {
  const pending = new Set(selectors.map(selectorText))
  return input.wanted.flatMap((wanted) => {
    const selector = selectorOf(wanted)
    if (selector === null || !pending.has(selectorText(selector))) return []
    const one = { ...wanted, entities: [ANY_COIN] }
    const { unreachable } = planSlices({ ...input, wanted: [one], covered: [] })
    const coins = 'top' in selector ? selector.top : null
    return unreachableHistory(unreachable).datasets.map((sum) => ({
      ...sum,
      series: coins === null ? null : coins * (sum.series ?? 0),
      days: coins === null ? null : coins * (sum.days ?? 0),
      selector: selectorText(selector),
      daysEach: sum.days,
    }))
  })
}
