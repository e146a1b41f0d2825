import type { CallRate } from '../../api/rate-headers.ts'
import type { RunProgress } from '../../workflows/messages.ts'
import { approximateDuration } from './quantities.ts'

/** Without a word for longer than this the worker may be gone: nothing is taken to go on. */
const TRUSTED_MS = 60_000

/**
 * Time left until the last page is there: the pages that are left, at the pace of the stretch that the run
 * is in, and the wait that the source has asked for. null while there is too little to tell.
 */
export function remainingMs(progress: RunProgress, nowMs: number): number | null {
  const { pace, pagesPlanned, throttledUntilMs } = progress
  if (!isFetching(progress)) return null
  const pagesPerMs = speed(pace.pages - pace.sincePages, progress)
  if (pagesPerMs === null) return null
  const sinceMs = Math.min(TRUSTED_MS, Math.max(0, nowMs - pace.atMs))
  const left = pagesPlanned - pace.pages - pagesPerMs * sinceMs
  return left <= 0 ? null : Math.max(0, throttledUntilMs - nowMs) + left / pagesPerMs
}

/** Calls of a run by its present stretch; null while there is too little to measure. */
export function callsPerMs(progress: RunProgress): number | null {
  const { pace } = progress
  return isFetching(progress) ? speed(pace.calls - pace.sinceCalls, progress) : null
}

function isFetching({ phase, paused }: RunProgress): boolean {
  return phase === 'fetching' && !paused
}

/** The first of a stretch came at once: nobody had to wait for its permit. */
function speed(counted: number, { pace: { atMs, sinceMs } }: RunProgress): number | null {
  return counted > 1 && atMs > sinceMs ? (counted - 1) / (atMs - sinceMs) : null
}

const PERIODS: Readonly<Record<number, string>> = {
  1_000: 'a second',
  60_000: 'a minute',
  3_600_000: 'an hour',
}
const MINUTE_MS = 60_000

/** `29.4 of 30 calls a minute`: what is used of what the keys allow, as far as that is known. */
export function rateText(usedPerMs: number, allowed: CallRate | null): string {
  const perMs = allowed?.perMs ?? MINUTE_MS
  const used = usedPerMs * perMs
  const period = PERIODS[perMs] ?? `in ${approximateDuration(perMs)}`
  const bound = allowed === null ? '' : ` of ${allowed.calls}`
  return `${used >= 100 ? Math.round(used) : Number(used.toFixed(1))}${bound} calls ${period}`
}

/** The pace as figures, for JSON. */
export interface PaceFacts {
  /** Until the last page is there, ms; null = not known. */
  etaMs: number | null
  callsPerMinute: number | null
  /** Calls that the keys allow in a window; null = not known. */
  allowed: CallRate | null
}

export function paceFacts(
  progress: RunProgress,
  nowMs: number,
  allowed: CallRate | null,
): PaceFacts {
  const eta = remainingMs(progress, nowMs)
  const used = callsPerMs(progress)
  return {
    etaMs: eta === null ? null : Math.round(eta),
    callsPerMinute: used === null ? null : Number((used * MINUTE_MS).toFixed(1)),
    allowed,
  }
}
