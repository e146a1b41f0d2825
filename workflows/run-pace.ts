// The pace of a run. Pure: no clock, no I/O.

/** The pages and calls of a run so far, and when they were counted. */
export interface PaceCount {
  atMs: number
  pages: number
  calls: number
}

/** The current stretch of a run: since its start or its last standstill. */
export interface RunPace extends PaceCount {
  sinceMs: number
  sincePages: number
  sinceCalls: number
}

/**
 * A run stood still when no page came for this long and for several times its time per page. Its worker was gone or its
 * keys were blocked. The next page then begins a new stretch.
 */
const STILL_MS = 60_000
const STILL_PAGES = 8

/** The stretch of a run that begins to fetch, or continues after a pause. */
export function beginPace({ atMs, pages, calls }: PaceCount): RunPace {
  return { atMs, pages, calls, sinceMs: atMs, sincePages: pages, sinceCalls: calls }
}

export function notePace(pace: RunPace, { atMs, pages, calls }: PaceCount): RunPace {
  if (pages === pace.pages && calls === pace.calls) return pace
  const count = { atMs, pages, calls }
  return isAfterStandstill(pace, atMs) ? beginPace(count) : { ...pace, ...count }
}

function isAfterStandstill({ atMs, sinceMs, pages, sincePages }: RunPace, nowMs: number): boolean {
  const fetched = pages - sincePages
  const perPageMs = fetched === 0 ? 0 : (atMs - sinceMs) / fetched
  return nowMs - atMs > Math.max(STILL_MS, STILL_PAGES * perPageMs)
}
