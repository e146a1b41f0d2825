import { DAY_MS } from '../../config/values/duration.ts'
import { datasets } from '../../datasets/index.ts'
import { bucketDatasets } from '../../datasets/request/buckets.ts'
import type { WantedInterval, WantedState } from '../../plan/wanted-coverage.ts'
import { type Series, seriesKey } from '../../plan/covered.ts'
import { everyOf } from '../../plan/every.ts'
import { orderLabel } from '../../config/order-label.ts'
import { absentLines } from '../render/absent-lines.ts'
import { alignColumns } from '../render/align-columns.ts'
import { listingDoubtLines } from '../render/listing-doubts.ts'
import { count, counted, dayCountText, daysText, omittedLines } from '../render/quantities.ts'
import { isoMinute, utcDay } from '../render/utc-text.ts'
import { unreachableLines } from '../render/unreachable-lines.ts'
import { hasGaps, type Gaps } from './look-for-gaps.ts'

/** Names of the datasets of snapshots. An empty snapshot is final, because its moment cannot be asked for again. */
export const BUCKET_DATASETS = bucketDatasets(datasets)
const STATES = ['verified', 'empty', 'provisional', 'unreachable', 'missing'] as const
const NUMBERS = [2, 3, 4, 5, 6, 7, 8]
/** An entity may be a csv of many ids. */
const MAX_ENTITY_CHARS = 40
export const GAP_REASONS: Readonly<Record<string, string>> = {
  failed: 'fetch failed',
  not_asked: 'not in the tables yet',
}

/** The gaps of one dataset and granularity, over all its series. */
export interface GapSummary {
  dataset: string
  granularity: string
  /** Names of the orders that want it; [] when the only order of the dataset has no name. */
  orders: string[]
  series: number
  days: Record<WantedState, number>
  /** Number of missing intervals. */
  missing: number
  quarantinedRows: number
}

export function summarizeGaps({
  intervals,
  orders,
}: Pick<Gaps, 'intervals' | 'orders'>): GapSummary[] {
  const groups = Map.groupBy(intervals, (one) => `${one.dataset} ${one.granularity}`)
  return [...groups.values()].map((group) => {
    const days = {
      verified: 0,
      empty: 0,
      provisional: 0,
      unreachable: 0,
      missing: 0,
      quarantined: 0,
    }
    for (const { state, fromMs, toMs } of group) days[state] += (toMs - fromMs) / DAY_MS
    const { dataset, granularity } = group[0]!
    const wanting = orders.filter(
      (one) =>
        one.dataset === dataset &&
        one.name !== null &&
        (one.granularity || everyOf(one)) === granularity,
    )
    return {
      dataset,
      granularity,
      orders: wanting.map(orderLabel),
      series: new Set(group.map(seriesKey)).size,
      days,
      missing: group.filter(({ state }) => state === 'missing').length,
      quarantinedRows: group.reduce((rows, one) => rows + one.rows, 0),
    }
  })
}

/** `nothing for 25,058 of 73,058 days`: the wanted days of which the source has no point; null = none. */
export function emptyDaysText(summary: readonly GapSummary[]): string | null {
  const empty = summary.reduce((sum, { days }) => sum + days.empty, 0)
  const all = summary
    .flatMap(({ days }) => Object.values(days))
    .reduce((sum, days) => sum + days, 0)
  return empty === 0 ? null : `nothing for ${dayCountText(empty)} of ${daysText(all)}`
}

/** @param nextCallMs start of the next month when this one has no call left for a backfill; null = calls are left */
export function gapsText(gaps: Gaps, limit: number, nextCallMs: number | null = null): string[] {
  const summary = summarizeGaps(gaps)
  const lines =
    summary.length === 0
      ? []
      : alignColumns(
          ['days by state', '', 'series', ...STATES, 'quarantined'],
          summary.map((one) => [
            one.orders.length === 0 ? one.dataset : one.orders.join(', '),
            one.granularity,
            count(one.series),
            ...STATES.map((state) => (one.days[state] === 0 ? '-' : dayCountText(one.days[state]))),
            one.quarantinedRows === 0 ? '-' : counted(one.quarantinedRows, 'row'),
          ]),
          NUMBERS,
        )
  const open = gaps.intervals.filter(({ state }) => state === 'missing' || state === 'quarantined')
  if (open.length > 0) {
    lines.push(
      '',
      ...alignColumns(['what', 'series', 'from', 'to', ''], open.slice(0, limit).map(rowOf)),
    )
  }
  lines.push(...omittedLines(open.length, limit, 'interval'))
  for (const selector of gaps.pendingUniverses) {
    lines.push(`the coins of ${selector} are not chosen yet: the first backfill chooses them`)
  }
  lines.push(...unreachableLines(gaps.unreachable))
  for (const { dataset, granularity, count: some, fromMs, toMs } of gaps.missed) {
    lines.push(
      `missed: ${dataset} every ${granularity}: ${counted(some, 'snapshot')} between ${isoMinute(fromMs)} and ${isoMinute(toMs)}: each shows its own moment only, no run can take it later`,
    )
  }
  const empty = emptyStretches(gaps.intervals)
  for (const one of empty.slice(0, limit)) {
    const [, series, from, to] = rowOf(one)
    lines.push(
      `empty: ${series} from ${from} to ${to}: the source gave no point; \`coinlake refetch\` asks again`,
    )
  }
  lines.push(...omittedLines(empty.length, limit, 'empty interval'))
  lines.push(...absentLines(gaps.absent))
  for (const one of gaps.doubtful) {
    const name = [one.dataset, one.entity, one.vsCurrency].filter((part) => part !== '').join(' ')
    lines.push(...listingDoubtLines(`${name} ${isoMinute(one.fromMs)}`, one))
  }
  for (const { dataset, rows } of gaps.givenUp) {
    lines.push(
      `given up: ${counted(rows, 'row')} of ${dataset} (quarantine drop); \`coinlake refetch\` asks for them again`,
    )
  }
  return [...lines, ...verdictLines(gaps, summary, nextCallMs)]
}

/**
 * Empty stretches of histories that a faulty answer may have left: those behind points, and those of a series without
 * any point. Empty time before the first point does not count, because the coin was not listed yet.
 */
function emptyStretches(intervals: readonly WantedInterval[]): WantedInterval[] {
  const hasPoints = new Set(
    intervals
      .filter(({ state }) => state === 'verified' || state === 'quarantined')
      .map((one) => seriesKey(one)),
  )
  return intervals.filter((one, index) => {
    if (one.state !== 'empty' || BUCKET_DATASETS.has(one.dataset)) return false
    const before = intervals[index - 1]
    const isTorn = before?.state === 'verified' && seriesKey(before) === seriesKey(one)
    return isTorn || !hasPoints.has(seriesKey(one))
  })
}

/** A backfill fetches missing intervals, but no quarantined rows, which have been fetched. */
function verdictLines(
  gaps: Gaps,
  summary: readonly GapSummary[],
  nextCallMs: number | null,
): string[] {
  const { days } = gaps.unreachable
  const empty = emptyDaysText(summary)
  if (!hasGaps(gaps) && days > 0) {
    const lacking = empty === null ? '' : `; the source has ${empty}`
    return [`no gaps, unreachable: ${daysText(days)}: all reachable data are there${lacking}`]
  }
  if (!hasGaps(gaps)) {
    return [
      empty === null
        ? 'no gaps: all wanted data are there'
        : `no gaps: all data that the source gave are there; it has ${empty}`,
    ]
  }
  const isQuarantined = gaps.intervals.some(({ state }) => state === 'quarantined')
  const isOnlyQuarantined = gaps.intervals.every(({ state }) => state !== 'missing')
  const lines = isOnlyQuarantined && isQuarantined ? [] : [missingHint(nextCallMs)]
  return isQuarantined ? [...lines, QUARANTINED_HINT] : lines
}

function missingHint(nextCallMs: number | null): string {
  const when =
    nextCallMs === null
      ? ''
      : ` from ${utcDay(nextCallMs)} (UTC) on, as this month has no call left for it`
  return `there are gaps: \`coinlake backfill\` fetches missing data${when}`
}

const QUARANTINED_HINT =
  'rows are quarantined: `coinlake quarantine list` shows them, `coinlake refetch` fetches them again'

function rowOf(one: WantedInterval): string[] {
  const why =
    one.state === 'quarantined'
      ? `${counted(one.rows, 'row')} quarantined`
      : GAP_REASONS[one.reason ?? '']
  return [one.state, seriesName(one), isoMinute(one.fromMs), isoMinute(one.toMs), why ?? '']
}

/** With its entity cut. */
export function seriesName({ dataset, entity, vsCurrency, granularity }: Series): string {
  const name = entity.length > MAX_ENTITY_CHARS ? `${entity.slice(0, MAX_ENTITY_CHARS)}...` : entity
  return [dataset, name, vsCurrency, granularity].filter((part) => part !== '').join(' ')
}
