import { bucketDatasets } from '../datasets/request/buckets.ts'
import type { Slice } from '../datasets/dataset.ts'
import { type KnownInterval, seriesKey } from './covered.ts'
import { type Interval, intersect, merge, subtract } from './intervals.ts'
import {
  type PlanSlicesInput,
  planSlices,
  type SlicePlan,
  type Unreachable,
} from './plan-slices.ts'
import { bucketAt, dividesEvery, everyOf } from './every.ts'

export interface QuarantinedSlice extends Slice {
  rows: number
}

/**
 * State of a wanted interval.
 * `missing`: not loaded. `quarantined`: loaded without some rows. `unreachable`: no later run can load it.
 */
export type WantedState =
  | 'verified'
  | 'empty'
  | 'provisional'
  | 'missing'
  | 'quarantined'
  | 'unreachable'

/** A wanted interval with its state. Intervals of one series do not overlap. */
export interface WantedInterval extends Slice {
  state: WantedState
  /** `missing`: `failed` after a request, else `not_asked`. `unreachable`: its reason. */
  reason: 'failed' | 'not_asked' | Unreachable['reason'] | null
  /** Quarantined rows; 0 in other states. */
  rows: number
}

export interface WantedCoverage {
  /** By series in the order of the plan, then by time. */
  intervals: WantedInterval[]
  /** Selectors without chosen coins. Their wanted slices are unknown. */
  pendingUniverses: SlicePlan['pendingUniverses']
}

/**
 * Compares the wanted slices with the ledger, series by series. Snapshots and catalogues count by their current bucket,
 * because earlier ones can never be fetched. Pure.
 */
export function wantedCoverage(
  input: Omit<PlanSlicesInput, 'covered' | 'uncut'>,
  ledger: readonly KnownInterval[],
  quarantined: readonly QuarantinedSlice[],
): WantedCoverage {
  const ofBuckets = bucketDatasets(input.datasets)
  const recorded = [...ledger, ...shorterSnapshots(input, ledger, ofBuckets)]
  // Without `unknown`: slices loaded before the source dropped an id still count as wanted and covered.
  const whole = planSlices({ ...input, unknown: [], uncut: true, covered: [] })
  const answered = recorded.filter(({ state }) => state !== 'failed')
  const open = planSlices({ ...input, uncut: true, covered: answered })
  const bySeries = Map.groupBy(open.slices, seriesKey)
  const recordedBySeries = Map.groupBy(recorded, seriesKey)
  const quarantinedBySeries = Map.groupBy(quarantined, seriesKey)
  const unreachableBySeries = Map.groupBy(open.unreachable, seriesKey)
  const intervals: WantedInterval[] = []
  // The ledger keeps csv entities as they were requested. Today's may differ.
  const wantedParts = whole.slices.flatMap((slice) =>
    ofBuckets.has(slice.dataset) ? overlappingParts(slice, [...answered, ...open.slices]) : [slice],
  )
  const known = new Set(wantedParts.map(seriesKey))
  const onlyUnreachable = open.unreachable.filter((slice) => !known.has(seriesKey(slice)))
  const wantedBySeries = Map.groupBy([...wantedParts, ...onlyUnreachable] as Slice[], seriesKey)
  for (const [key, slices] of wantedBySeries) {
    const series = slices[0]!
    const unreachableHere = unreachableBySeries.get(key) ?? []
    const wanted = subtract(slices, unreachableHere)
    const missing = intersect(wanted, bySeries.get(key) ?? [])
    const recordedHere = recordedBySeries.get(key) ?? []
    const inState = (state: KnownInterval['state']): Interval[] =>
      merge(recordedHere.filter((one) => one.state === state))
    const found: WantedInterval[] = []
    const add = (
      state: WantedState,
      at: readonly Interval[],
      reason: WantedInterval['reason'] = null,
      rows = 0,
    ): void => {
      for (const { fromMs, toMs } of at) {
        found.push({ ...series, fromMs, toMs, state, reason, rows })
      }
    }
    for (const { reason, ...at } of unreachableHere) add('unreachable', [at], reason)
    const failed = intersect(missing, inState('failed'))
    add('missing', failed, 'failed')
    add('missing', subtract(missing, failed), 'not_asked')
    let rest = subtract(wanted, missing)
    for (const slice of quarantinedBySeries.get(key) ?? []) {
      const parts = intersect(rest, [slice])
      add('quarantined', parts, null, slice.rows)
      rest = subtract(rest, parts)
    }
    for (const state of ['verified', 'empty', 'provisional'] as const) {
      const parts = intersect(rest, inState(state))
      add(state, parts)
      rest = subtract(rest, parts)
    }
    intervals.push(...found.sort((a, b) => a.fromMs - b.fromMs))
  }
  return { intervals, pendingUniverses: whole.pendingUniverses }
}

/** Those of `others` that share dataset, ids, currencies and time with `slice`, cut to its time. */
function overlappingParts(slice: Slice, others: readonly Slice[]): Slice[] {
  const { fromMs, toMs } = slice
  return others
    .filter(
      (one) =>
        one.dataset === slice.dataset &&
        one.granularity === slice.granularity &&
        one.fromMs < toMs &&
        one.toMs > fromMs &&
        shareIds(one.entity, slice.entity) &&
        shareIds(one.vsCurrency, slice.vsCurrency),
    )
    .map((one) => ({
      ...one,
      fromMs: Math.max(fromMs, one.fromMs),
      toMs: Math.min(toMs, one.toMs),
    }))
}

function shareIds(csv: string, other: string): boolean {
  // '' is the whole market and answers for every coin.
  if (csv === '' || other === '') return true
  const ids = new Set(other.split(','))
  return csv.split(',').some((id) => ids.has(id))
}

/** Snapshots of a shorter `every` in the current bucket, as ones of the wanted `every`: they cover that bucket, too. */
function shorterSnapshots(
  { wanted, nowMs }: Pick<PlanSlicesInput, 'wanted' | 'nowMs'>,
  ledger: readonly KnownInterval[],
  ofBuckets: ReadonlySet<string>,
): KnownInterval[] {
  return wanted.flatMap((one) => {
    if (!ofBuckets.has(one.dataset)) return []
    const granularity = everyOf(one)
    const bucket = bucketAt(nowMs, one.everyMs)
    return ledger
      .filter(
        (snapshot) =>
          snapshot.dataset === one.dataset &&
          snapshot.state !== 'failed' &&
          snapshot.granularity !== granularity &&
          dividesEvery(snapshot.granularity, one.everyMs) &&
          snapshot.fromMs < bucket.toMs &&
          snapshot.toMs > bucket.fromMs,
      )
      .map((snapshot) => ({ ...snapshot, granularity, ...bucket }))
  })
}
