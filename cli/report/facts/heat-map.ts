import { DAY_MS } from '../../../config/values/duration.ts'
import { seriesKey } from '../../../plan/covered.ts'
import type { WantedInterval, WantedState } from '../../../plan/wanted-coverage.ts'

/**
 * The state of a cell: the worst of its parts.
 *
 * - `covered`: nothing is missing
 * - `missing_some`, `missing_half`, `missing_most`: less than a tenth, less than half, half or more is missing
 * - `quarantined`: loaded without the rows that broke a rule
 * - `provisional`: half or more may still change
 * - `empty`: the source has nothing for half or more
 * - `unreachable`: no run can fetch half or more
 * - `null`: not wanted
 */
export type CellState =
  | 'covered'
  | 'provisional'
  | 'empty'
  | 'quarantined'
  | 'missing_some'
  | 'missing_half'
  | 'missing_most'
  | 'unreachable'
  | null

/** The coverage of a dataset: a row for all series, rows for the worst ones, and columns of time. */
export interface HeatMap {
  dataset: string
  granularity: string
  unit: 'day' | 'month' | 'year'
  /** Bounds of the columns, ISO; the last is the end of the last column. */
  bounds: string[]
  series: number
  /** Covered part of the wanted time, 0 to 1; unreachable and empty time counts as wanted. */
  coveredShare: number
  /** Part of the wanted time of which the source has nothing, 0 to 1. */
  emptyShare: number
  all: CellState[]
  /** The worst series first. */
  rows: { name: string; cells: CellState[] }[]
  /** Series without a row of their own. */
  more: number
}

/** Most columns of a phone, on which more would be thinner than a hair. */
const MAX_DAYS = 124
const MAX_MONTHS = 180
const SOME = 0.1
const HALF = 0.5
/** A smaller share is only rounding, because slices end at seconds. */
const NOTHING = 1e-6

/** The lengths of the states within each column, ms. */
type Lengths = Partial<Record<WantedState, number>>[]

/**
 * Draws intervals of one dataset and granularity into cells. At most `maxRows` series have a row. The map begins with
 * the first interval, and at `notAfterMs` at the latest.
 */
export function heatMap(
  intervals: readonly WantedInterval[],
  maxRows: number,
  notAfterMs = Infinity,
): HeatMap {
  const fromMs = intervals.reduce((first, one) => Math.min(first, one.fromMs), notAfterMs)
  const toMs = intervals.reduce((last, one) => Math.max(last, one.toMs), -Infinity)
  const { unit, bounds } = columnsOf(fromMs, toMs)
  const bySeries = [...Map.groupBy(intervals, seriesKey).values()]
  const worst = bySeries
    .map((series) => ({
      series,
      missingMs: lengthOf(series, 'missing'),
      badMs: lengthOf(series, 'quarantined'),
    }))
    .sort((a, b) => b.missingMs - a.missingMs || b.badMs - a.badMs)
    .slice(0, maxRows)
  const rows = worst.map(({ series }) => ({
    name: nameOf(series[0]!),
    cells: lengthsOf(series, bounds).map(cellOf),
  }))
  const { dataset, granularity } = intervals[0]!
  const askedMs = intervals.reduce((sum, one) => sum + one.toMs - one.fromMs, 0)
  const shareOf = (state: WantedState): number =>
    askedMs === 0 ? 0 : lengthOf(intervals, state) / askedMs
  const emptyShare = shareOf('empty')
  return {
    dataset,
    granularity,
    unit,
    bounds: bounds.map((ms) => new Date(ms).toISOString()),
    series: bySeries.length,
    coveredShare: 1 - emptyShare - shareOf('missing') - shareOf('unreachable'),
    emptyShare,
    all: lengthsOf(intervals, bounds).map(cellOf),
    rows,
    more: bySeries.length - rows.length,
  }
}

function nameOf({ entity, vsCurrency, dataset }: WantedInterval): string {
  const name = [entity, vsCurrency].filter((part) => part !== '').join(' ')
  return name === '' ? dataset : name
}

/** Columns of whole UTC days, months or years, the shortest that are readable. */
function columnsOf(fromMs: number, toMs: number): { unit: HeatMap['unit']; bounds: number[] } {
  const from = new Date(fromMs)
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth()]
  const startOf: Record<HeatMap['unit'], (index: number) => number> = {
    day: (index) => Math.floor(fromMs / DAY_MS) * DAY_MS + index * DAY_MS,
    month: (index) => Date.UTC(year, month + index, 1),
    year: (index) => Date.UTC(year + index, 0, 1),
  }
  const until = (unit: HeatMap['unit'], max: number): number[] | null => {
    const bounds = [startOf[unit](0)]
    while (bounds.at(-1)! < toMs) {
      if (bounds.length > max) return null
      bounds.push(startOf[unit](bounds.length))
    }
    return bounds
  }
  const [days, months] = [until('day', MAX_DAYS), until('month', MAX_MONTHS)]
  if (days !== null) return { unit: 'day', bounds: days }
  if (months !== null) return { unit: 'month', bounds: months }
  return { unit: 'year', bounds: until('year', Infinity)! }
}

function lengthsOf(intervals: readonly WantedInterval[], bounds: readonly number[]): Lengths {
  const lengths: Lengths = bounds.slice(1).map(() => ({}))
  for (const { state, fromMs, toMs } of intervals) {
    let column = bounds.findLastIndex((boundMs) => boundMs <= fromMs)
    for (; column < lengths.length && bounds[column]! < toMs; column += 1) {
      const ms = Math.min(toMs, bounds[column + 1]!) - Math.max(fromMs, bounds[column]!)
      lengths[column]![state] = (lengths[column]![state] ?? 0) + ms
    }
  }
  return lengths
}

function cellOf(lengths: Lengths[number]): CellState {
  const sum = Object.values(lengths).reduce((total, ms) => total + ms, 0)
  if (sum === 0) return null
  const share = (state: WantedState): number => (lengths[state] ?? 0) / sum
  const missing = share('missing')
  if (missing >= HALF) return 'missing_most'
  if (missing >= SOME) return 'missing_half'
  if (missing > NOTHING) return 'missing_some'
  if (share('quarantined') > 0) return 'quarantined'
  if (share('provisional') >= HALF) return 'provisional'
  if (share('unreachable') >= HALF) return 'unreachable'
  return share('empty') >= HALF ? 'empty' : 'covered'
}

function lengthOf(intervals: readonly WantedInterval[], state: WantedState): number {
  return intervals.reduce(
    (sum, one) => (one.state === state ? sum + one.toMs - one.fromMs : sum),
    0,
  )
}
