// How fast a run is. Pure: no timers, no clock, no I/O.

/** The pages and calls of a run so far, and when they were counted. */
export interface PaceNews {
  atMs: number
  /** Pages that came, from the source or from the stage. */
  pages: number
  calls: number
}

/** The stretch that a run is in, from its start or the last standstill on. */
export interface RunPace extends PaceNews {
  sinceMs: number
  sincePages: number
  sinceCalls: number
}

/**
 * Without news for so long, or for several times what a page took so far, the run stood still: the worker
 * was gone, or the source said wait. What it does afterwards says how long the rest will take.
 */
const STILL_MS = 60_000
const STILL_PAGES = 8

/** The pace of a run that begins to fetch, or goes on after a pause. */
export function beginPace({ atMs, pages, calls }: PaceNews): RunPace {
  return { atMs, pages, calls, sinceMs: atMs, sincePages: pages, sinceCalls: calls }
}

/** The pace with what is new. */
export function notePace(pace: RunPace, news: PaceNews): RunPace {
  if (news.pages === pace.pages && news.calls === pace.calls) return pace
  return isAfterStandstill(pace, news.atMs) ? beginPace(news) : { ...pace, ...news }
}

function isAfterStandstill({ atMs, sinceMs, pages, sincePages }: RunPace, nowMs: number): boolean {
  const fetched = pages - sincePages
  const perPageMs = fetched === 0 ? 0 : (atMs - sinceMs) / fetched
  return nowMs - atMs > Math.max(STILL_MS, STILL_PAGES * perPageMs)
}
