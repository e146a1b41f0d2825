// How fast a run is. Pure: no timers, no clock, no I/O.

/** What a lane has fetched, and when it said so. */
export interface LaneNews {
  lane: number
  atMs: number
  /** Pages that came, from the source or from the stage. */
  pages: number
  calls: number
  /** It has nothing left to do; absent = it has. */
  isDone?: boolean
}

/** What a lane did since the stretch began that the pace is measured over. */
export interface LanePace {
  sincePages: number
  sinceCalls: number
  /** As it said last. */
  atMs: number
  pages: number
  calls: number
  isDone: boolean
}

/** The stretch that a run is in, from its start or the last standstill on. */
export interface RunPace {
  sinceMs: number
  /** Pages that came at once when it began, since nobody had to wait for the first permit. */
  lead: number
  lanes: LanePace[]
}

/** Measures the pace of a run from what its lanes report. */
export interface PaceTracker {
  /** So many lanes fetch from now on: at the start of a run, and after a pause. */
  begin(nowMs: number, laneCount?: number): void
  note(news: LaneNews): void
  pace(): RunPace
}

/**
 * Without news for so long, or for several times what a page took so far, the run stood still: the worker
 * was gone, or the source said wait. What it does afterwards says how long the rest will take.
 */
const STILL_MS = 60_000
const STILL_PAGES = 8

export function createPaceTracker(): PaceTracker {
  const lanes: LanePace[] = []
  let sinceMs = 0
  let lead = 1
  let newsMs = 0

  function begin(nowMs: number, laneCount: number = lanes.length): void {
    while (lanes.length < laneCount) {
      const none = { sincePages: 0, sinceCalls: 0, pages: 0, calls: 0 }
      lanes.push({ ...none, atMs: nowMs, isDone: false })
    }
    sinceMs = nowMs
    newsMs = nowMs
    lead = 1
    for (const lane of lanes) {
      lane.atMs = nowMs
      lane.sincePages = lane.pages
      lane.sinceCalls = lane.calls
    }
  }

  function isAfterStandstill(nowMs: number): boolean {
    const pages = lanes.reduce((sum, one) => sum + one.pages - one.sincePages, 0)
    const perPageMs = pages === 0 ? 0 : (newsMs - sinceMs) / pages
    return nowMs - newsMs > Math.max(STILL_MS, STILL_PAGES * perPageMs)
  }

  return {
    begin,
    note({ lane: name, atMs, pages, calls, isDone = false }) {
      if (name >= lanes.length) begin(atMs, name + 1)
      const lane = lanes[name]!
      const isNew = pages > lane.pages || calls > lane.calls
      const isLate = isNew && isAfterStandstill(atMs)
      Object.assign(lane, { atMs: Math.max(lane.atMs, atMs), pages, calls, isDone })
      if (isLate) {
        begin(atMs)
        lead = 0
      }
      if (isNew) newsMs = Math.max(newsMs, atMs)
    },
    pace: () => ({ sinceMs, lead, lanes: lanes.map((lane) => ({ ...lane })) }),
  }
}

/**
 * A run may be sent 10,000 signals, and each costs it 4 events of at most 51,200. So a lane reports
 * when it has done this part more than at its last report: every load of the first thousands of
 * slices, and still only some 2,000 times in a million.
 */
export const REPORT_GROWTH = 1.005

/** Of pages between two loads a lane tells less often: beside the reports of loads. */
const PAGES_GROWTH = 1.02
const TELL_EVERY_MS = 500
const TELL_EVERY_PART = 0.02

/**
 * How often a lane tells of pages: often at first, so that a short run is seen to move and a long one says
 * soon how long it will take, then ever more rarely.
 */
export function tellEveryMs(elapsedMs: number): number {
  return Math.max(TELL_EVERY_MS, TELL_EVERY_PART * elapsedMs)
}

/** Whether a lane's pages are worth a report of their own. */
export function isWorthReport(
  pages: number,
  told: { pages: number; atMs: number },
  { beganMs, nowMs }: { beganMs: number; nowMs: number },
): boolean {
  const isMore = pages > told.pages && pages >= told.pages * PAGES_GROWTH
  return isMore && nowMs - told.atMs >= tellEveryMs(nowMs - beganMs)
}
