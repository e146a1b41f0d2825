import { DAY_MS } from '../api/granularity.ts'
import { type CoinSelector, selectorText } from '../config/coin-selector.ts'
import { seriesKey } from './covered.ts'
import { selectorOf } from './order.ts'
import { type PlanSlicesInput, planSlices, type Unreachable } from './plan-slices.ts'

/** History that cannot be had of one dataset and granularity for one reason, over all its series. */
export interface UnreachableSum extends Pick<Unreachable, 'dataset' | 'granularity' | 'reason'> {
  /** Series that lack some of their history; null = their coins are not chosen, and their number is open. */
  series: number | null
  /** Days of all of them together; null as above. */
  days: number | null
  /** The selector whose coins are still to be chosen, and the days that each coin of it lacks; null = counted series. */
  selector: string | null
  daysEach: number | null
  /** The first moment that any of them lacks, and the end of the last. */
  fromMs: number
  toMs: number
}

/** All that is asked for and cannot be had: the one number that every command names, and a line a dataset. */
export interface UnreachableHistory {
  /** Whole and parts of days; of coins whose number is open none are in it. */
  days: number
  datasets: UnreachableSum[]
}

/** Sums up holes by dataset, granularity and reason, in their order. */
export function unreachableHistory(
  holes: readonly Unreachable[],
  pending: readonly UnreachableSum[] = [],
): UnreachableHistory {
  const groups = Map.groupBy(holes, ({ dataset, granularity, reason }) =>
    JSON.stringify([dataset, granularity, reason]),
  )
  const known = [...groups.values()].map((group): UnreachableSum => {
    const { dataset, granularity, reason } = group[0]!
    return {
      dataset,
      granularity,
      reason,
      series: new Set(group.map(seriesKey)).size,
      days: daysOf(group),
      selector: null,
      daysEach: null,
      fromMs: group.reduce((first, { fromMs }) => Math.min(first, fromMs), Infinity),
      toMs: group.reduce((last, { toMs }) => Math.max(last, toMs), -Infinity),
    }
  })
  const datasets = [...known, ...pending]
  return { days: datasets.reduce((sum, { days }) => sum + (days ?? 0), 0), datasets }
}

/** Stands for a coin that is still to be chosen. */
const ANY_COIN = '?'

/** History that coins lack which nobody has chosen yet: of top:N as many as N, of other selectors only each one. */
export function pendingUnreachable(
  input: Omit<PlanSlicesInput, 'covered'>,
  selectors: readonly CoinSelector[],
): UnreachableSum[] {
  const isPending = new Set(selectors.map(selectorText))
  return input.wanted.flatMap((wanted) => {
    const selector = selectorOf(wanted)
    if (selector === null || !isPending.has(selectorText(selector))) return []
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

function daysOf(holes: readonly Unreachable[]): number {
  return holes.reduce((ms, { fromMs, toMs }) => ms + toMs - fromMs, 0) / DAY_MS
}
