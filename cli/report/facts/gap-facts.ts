import { DAY_MS } from '../../../config/values/duration.ts'
import type { Slice } from '../../../datasets/dataset.ts'
import { seriesKey } from '../../../plan/covered.ts'
import type { WantedInterval } from '../../../plan/wanted-coverage.ts'
import { BUCKET_DATASETS, summarizeGaps, type GapSummary } from '../../gaps/gaps-text.ts'
import type { Gaps } from '../../gaps/look-for-gaps.ts'

export interface GapFacts {
  /** Wanted series: dataset, entity, currency, granularity. */
  series: number
  /** Series with gaps other than at their newest end. */
  seriesWithHoles: number
  /** Series that lack only points since their last fetch. */
  seriesBehind: number
  quarantined: number
  summary: GapSummary[]
  unreachable: Gaps['unreachable']
  /** Gaps, the longest first, at most 25. */
  holes: Hole[]
  holeCount: number
  pendingUniverses: string[]
  doubtful: { series: string; moved: number; unlisted: number }[]
  /** Ids that the newest answers lack. They count as gaps until a run has reported them. */
  absent: Gaps['absent']
}

export interface Hole extends Omit<Slice, 'fromMs' | 'toMs'> {
  /** ISO times; half-open. */
  from: string
  to: string
  days: number
  /** `failed`: fetched without success; `not_asked`: no answer is in the tables yet. */
  reason: string
}

const HOLES_SHOWN = 25

/** Counts the gaps. The newest end of a series is no gap, because no run has fetched since. */
export function gapFacts(gaps: Gaps): GapFacts {
  const all = [...Map.groupBy(gaps.intervals, seriesKey).values()]
  const holes: WantedInterval[] = []
  let seriesWithHoles = 0
  let seriesBehind = 0
  for (const series of all) {
    const missing = series.filter(({ state }) => state === 'missing')
    const tail = newestEnd(series)
    const real = missing.filter((one) => one !== tail)
    if (real.length > 0) seriesWithHoles += 1
    else if (tail !== null) seriesBehind += 1
    holes.push(...real)
  }
  holes.sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs) || a.fromMs - b.fromMs)
  return {
    series: all.length,
    seriesWithHoles,
    seriesBehind,
    quarantined: gaps.intervals.filter(({ state }) => state === 'quarantined').length,
    summary: summarizeGaps(gaps),
    unreachable: gaps.unreachable,
    holes: holes.slice(0, HOLES_SHOWN).map(holeOf),
    holeCount: holes.length,
    pendingUniverses: gaps.pendingUniverses,
    doubtful: gaps.doubtful.map(({ dataset, entity, vsCurrency, moved, unlisted }) => ({
      series: [dataset, entity, vsCurrency].filter((part) => part !== '').join(' '),
      moved,
      unlisted,
    })),
    absent: gaps.absent,
  }
}

function holeOf({ fromMs, toMs, reason, ...one }: WantedInterval): Hole {
  const { dataset, entity, vsCurrency, granularity } = one
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
  const days = (toMs - fromMs) / DAY_MS
  return { dataset, entity, vsCurrency, granularity, from, to, days, reason: reason ?? 'not_asked' }
}

/** The last interval of a series, if no run has fetched it yet; else null. */
function newestEnd(series: readonly WantedInterval[]): WantedInterval | null {
  const last = series.at(-1)
  if (last?.state !== 'missing' || last.reason !== 'not_asked') return null
  // Only the present bucket of a snapshot is wanted, and it may still come.
  if (BUCKET_DATASETS.has(last.dataset)) return last
  return series.some(({ state }) => state !== 'missing' && state !== 'unreachable') ? last : null
}
