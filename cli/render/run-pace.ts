import { MINUTE_MS } from '../../config/values/duration.ts'
import type { CallRate } from '../../api/rate-headers.ts'
import type { RunProgress } from '../../workflows/messages.ts'
import { approximateDuration, count } from './quantities.ts'

/** The rate of all keys together; null = not known. */
export type AllowedRate = CallRate | null

/** Longest time without news for which the worker counts as alive. */
const TRUSTED_MS = 60_000

/** Time until the last page, at the present pace, with the wait of the source. null = not known yet. */
export function remainingMs(
  progress: RunProgress,
  nowMs: number,
  allowed: AllowedRate = null,
): number | null {
  const { pace, pagesPlanned, throttledUntilMs } = progress
  if (!isFetching(progress)) return null
  const fetchedPerMs = speed(pace.pages - pace.sincePages, progress)
  if (fetchedPerMs === null) return null
  // Pages of the stage need no call, so no rate bounds them.
  const isCalling = callsPerMs(progress) !== null
  const pagesPerMs = isCalling ? withinRate(fetchedPerMs, allowed) : fetchedPerMs
  const sinceMs = Math.min(TRUSTED_MS, Math.max(0, nowMs - pace.atMs))
  const left = pagesPlanned - pace.pages - pagesPerMs * sinceMs
  return left <= 0 ? null : Math.max(0, throttledUntilMs - nowMs) + left / pagesPerMs
}

/** Calls per ms in the present stretch of a run, at most those of the allowed rate. null = not known yet. */
export function callsPerMs(progress: RunProgress, allowed: AllowedRate = null): number | null {
  const { pace } = progress
  const used = isFetching(progress) ? speed(pace.calls - pace.sinceCalls, progress) : null
  return used === null ? null : withinRate(used, allowed)
}

/** The keys allow the calls of a window at once, so a stretch that has just begun looks quicker than it can stay. */
function withinRate(perMs: number, allowed: AllowedRate): number {
  return allowed === null ? perMs : Math.min(perMs, allowed.calls / allowed.perMs)
}

function isFetching({ phase, paused }: RunProgress): boolean {
  return phase === 'fetching' && !paused
}

/** The first item of a stretch is not counted, because it waited for no permit. */
function speed(counted: number, { pace: { atMs, sinceMs } }: RunProgress): number | null {
  return counted > 1 && atMs > sinceMs ? (counted - 1) / (atMs - sinceMs) : null
}

const PERIODS: Readonly<Record<number, string>> = {
  1_000: 'a second',
  60_000: 'a minute',
  3_600_000: 'an hour',
}

/** `29.4 of 30 calls a minute`: the used and the allowed rate. */
export function rateText(usedPerMs: number, allowed: AllowedRate): string {
  const perMs = allowed?.perMs ?? MINUTE_MS
  const used = usedPerMs * perMs
  const period = PERIODS[perMs] ?? `in ${approximateDuration(perMs)}`
  const bound = allowed === null ? '' : ` of ${count(allowed.calls)}`
  return `${count(used >= 100 ? Math.round(used) : Number(used.toFixed(1)))}${bound} calls ${period}`
}

/** The pace for programs; null = not known. */
export function paceFacts(progress: RunProgress, nowMs: number, allowed: AllowedRate) {
  const eta = remainingMs(progress, nowMs, allowed)
  const used = callsPerMs(progress, allowed)
  return {
    etaMs: eta === null ? null : Math.round(eta),
    callsPerMinute: used === null ? null : Number((used * MINUTE_MS).toFixed(1)),
    allowed,
  }
}
