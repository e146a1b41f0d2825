import type { MetricMeter } from '@temporalio/common'
import type { RunEvent } from '../../activities/run-events.ts'
import type { PacerUsage } from '../../api/pacer.ts'
import type { Freshness } from '../freshness/freshness-facts.ts'
import type { WantedInterval } from '../../plan/wanted-coverage.ts'

export interface KeySample {
  keyId: string
  usage: PacerUsage
  /** Calls of the UTC month and its ceiling; null = no ceiling is known. */
  month: { used: number; ceiling: number } | null
}

export type RunMetrics = ReturnType<typeof runMetrics>

const MS_PER_S = 1_000

/** Makes the metrics. Labels are datasets, orders, verdicts and ids of keys: few, and never secret. */
export function runMetrics(meter: MetricMeter) {
  const counter = (name: string, text: string) => meter.createCounter(`coinlake_${name}`, '', text)
  const gauge = (name: string, text: string) =>
    meter.createGauge(`coinlake_${name}`, 'float', '', text)
  const seconds = (name: string, text: string) =>
    meter.createHistogram(`coinlake_${name}`, 'float', '', text)
  const calls = counter('calls', 'Physical requests to the source, refused and failed ones too.')
  const throttled = counter('throttled', 'Answers with status 429.')
  const pages = counter('pages', 'Pages by dataset and outcome: page, throttled, or an error code.')
  const received = counter('received_bytes', 'Bytes of answers, unpacked.')
  const rows = counter('rows_loaded', 'Rows that loads brought into the store.')
  const slices = counter('slices', 'Slices that came to an end, by state.')
  const runs = counter('runs', 'Runs that ended, by verdict.')
  const pageSeconds = seconds('page_duration_seconds', 'Time of a page from permit to stage.')
  const loadSeconds = seconds('load_duration_seconds', 'Time of a load transaction.')
  const publishSeconds = seconds('publish_duration_seconds', 'Time of all publications of a run.')
  const lastRun = gauge('last_run_timestamp_seconds', 'Time of the last end of a run, by verdict.')
  const allowed = gauge('budget_allowed_calls', 'Calls that a window of the key permits.')
  const windowSeconds = gauge('budget_window_seconds', 'Length of that window.')
  const inWindow = gauge('budget_window_calls', 'Calls of this process in the running window.')
  const waiting = gauge('budget_waiting_calls', 'Requests that wait for a permit.')
  const blocked = gauge('budget_blocked_seconds', 'Time that the source has told us to wait.')
  const monthUsed = gauge('month_used_calls', "Calls of the key's UTC month.")
  const monthCeiling = gauge('month_ceiling_calls', 'Calls that the month holds.')
  const lag = gauge(
    'lag_seconds',
    'Age of the newest point of a dataset, or of each of its orders.',
  )
  const target = gauge('freshness_target_seconds', 'Age beyond which a dataset or order is stale.')
  const stale = gauge('stale', '1 where a dataset is stale, else 0.')
  const stalled = gauge(
    'stalled_seconds',
    'Longest time without progress of an open run, beyond demanded waits; 0 = none stands still.',
  )
  const coverage = gauge(
    'coverage_ratio',
    'Covered part of the wanted time, 0 to 1; unreachable history counts as not covered.',
  )
  const seen = new Map<string, { calls: number; refused: number }>()
  return {
    observe(event: RunEvent): void {
      if (event.kind === 'page') {
        const { dataset, outcome, bytes, durationMs } = event
        pages.add(1, { dataset, outcome })
        received.add(bytes, { dataset })
        if (event.calls > 0 && outcome === 'page')
          pageSeconds.record(durationMs / MS_PER_S, { dataset })
      } else if (event.kind === 'loaded') {
        rows.add(event.rows)
        slices.add(event.slices, { state: 'loaded' })
        loadSeconds.record(event.durationMs / MS_PER_S)
      } else if (event.kind === 'slice_failed') {
        slices.add(1, { state: 'failed' })
      } else if (event.kind === 'published') {
        publishSeconds.record(event.durationMs / MS_PER_S)
      } else if (event.kind === 'ended' || event.kind === 'broken') {
        const verdict = event.kind === 'ended' ? event.report.verdict : 'failed'
        runs.add(1, { verdict })
        lastRun.set(Math.floor(Date.now() / MS_PER_S), { verdict })
      }
    },
    /** Counts calls since the last sample, and shows the budget. */
    sampleKeys(keys: readonly KeySample[]): void {
      for (const { keyId: key, usage, month } of keys) {
        const before = seen.get(key) ?? { calls: 0, refused: 0 }
        calls.add(Math.max(0, usage.calls - before.calls), { key })
        throttled.add(Math.max(0, usage.refused - before.refused), { key })
        // A count may sink when a call in flight turns out not to have been sent.
        seen.set(key, { ...usage, calls: Math.max(before.calls, usage.calls) })
        if (usage.rate !== null) {
          allowed.set(usage.rate.calls, { key })
          windowSeconds.set(usage.rate.perMs / MS_PER_S, { key })
        }
        inWindow.set(usage.inWindow, { key })
        waiting.set(usage.waiting, { key })
        blocked.set(Math.max(0, usage.throttledUntilMs - Date.now()) / MS_PER_S, { key })
        if (month !== null) {
          monthUsed.set(month.used, { key })
          monthCeiling.set(month.ceiling, { key })
        }
      }
    },
    sampleFreshness(freshness: readonly Freshness[]): void {
      for (const { dataset, order, ageMs, allowedMs, state } of freshness) {
        const labels = order === dataset ? { dataset } : { dataset, order }
        if (ageMs !== null) lag.set(ageMs / MS_PER_S, labels)
        target.set(allowedMs / MS_PER_S, labels)
        stale.set(state === 'stale' ? 1 : 0, labels)
      }
    },
    /** @param silentMs silence of each open run that stands still */
    sampleStalls(silentMs: readonly number[]): void {
      stalled.set(Math.max(0, ...silentMs) / MS_PER_S)
    },
    sampleCoverage(shares: Readonly<Record<string, number>>): void {
      for (const [dataset, share] of Object.entries(shares)) coverage.set(share, { dataset })
    },
  }
}

const THERE: ReadonlySet<WantedInterval['state']> = new Set(['verified', 'empty', 'provisional'])

/**
 * The covered part of the wanted time by dataset, 0 to 1. Unreachable history and quarantined slices are wanted and not
 * covered.
 */
export function coverageShares(intervals: readonly WantedInterval[]): Record<string, number> {
  const length = (ones: readonly WantedInterval[]): number =>
    ones.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  const byDataset = Map.groupBy(intervals, ({ dataset }) => dataset)
  return Object.fromEntries(
    [...byDataset].map(([dataset, ones]) => {
      const wantedMs = length(ones)
      const thereMs = length(ones.filter(({ state }) => THERE.has(state)))
      return [dataset, wantedMs === 0 ? 1 : thereMs / wantedMs]
    }),
  )
}
