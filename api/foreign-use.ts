/** What one answer says of the window that it was counted in. */
export interface WindowSight {
  /** Calls that the service has counted in it, whoever made them. */
  used: number
  /** The most of them that can be our own, while everybody of ours keeps to his share. */
  own: number
  /** Whether nothing remains: whoever came later was refused. */
  isUsedUp: boolean
  windowMs: number
  /** Names a fixed window by its end, always by the same; null = sliding, it has no end. */
  endsAtMs: number | null
}

/** Calls of somebody else under the same key, as `remaining` betrays them. */
export interface ForeignUse {
  /** An answer came; null = it tells too little. */
  answered(sight: WindowSight | null, nowMs: number): void
  /** How many calls of each window to leave to others; 0 when nobody else was seen lately. */
  calls(nowMs: number): number
  /** How many of the calls that are free now are still to be left to them. */
  toCome(nowMs: number): number
  /** Whether all that the newest answer counts may be our own: then our own count is enough. */
  isExplained(): boolean
}

/** A call more or less is the order in which answers come. */
const NOISE_CALLS = 2
/** Of a sliding window this part more stays free: when another's next call comes is not known. */
const SLIDING_ROOM = 1 / 20
/** Whoever was seen in a window is looked for in the next: until its end somewhat more than a window. */
const KEEP_WINDOWS = 1.25
/** A pace is not told from less than this part of a window. */
const LEAST_PACED = 1 / 10
/** Whoever was seen in less than this part of a window is not taken to go on for the whole of it. */
const LEAST_SEEN = 1 / 2
/** Calls that come evenly are seen one too many or too few: up from this on. */
const ROUNDING = 1 / 4

/**
 * What is missing from the window and was not used by us was used by another. In the first window of
 * a process this may be its own earlier life, which does not come again: of that window only what goes
 * missing while we look counts, as the pace of somebody who goes on.
 */
export function createForeignUse(): ForeignUse {
  let firstAtMs = Infinity
  /** Missing when we first looked. */
  let missingBefore = 0
  let isExplained = true
  /** The fixed window that runs, as it was at the newest answer. */
  let running: { endsAtMs: number; seen: number; part: number; isUsedUp: boolean } | null = null
  let lastWanted = 0
  let kept = 0
  let keptUntilMs = -Infinity

  function keep(calls: number, windowMs: number, nowMs: number): void {
    if (calls < NOISE_CALLS || (nowMs < keptUntilMs && calls < kept)) return
    kept = calls
    keptUntilMs = nowMs + windowMs * KEEP_WINDOWS
  }

  /** What a whole window will miss when it goes on as since the first look. */
  function atPace(missing: number, windowMs: number, nowMs: number): number {
    if (missing < NOISE_CALLS) return 0
    const lookedMs = Math.max(nowMs - firstAtMs, windowMs * LEAST_PACED)
    return Math.ceil((missing * windowMs) / lookedMs)
  }

  /** Windows are known to be fixed once one was seen to follow another: so each is seen whole. */
  function lookAtFixed(missing: number, sight: WindowSight, endsAtMs: number, nowMs: number): void {
    const { windowMs, isUsedUp } = sight
    if (running?.endsAtMs !== endsAtMs) {
      if (running !== null) {
        const wanted = wantedIn(running)
        // What the last two have shown is what this one will bring.
        kept = Math.max(wanted, lastWanted)
        keptUntilMs = kept > 0 ? nowMs + windowMs * KEEP_WINDOWS : -Infinity
        lastWanted = wanted
      }
      running = { endsAtMs, seen: 0, part: 0, isUsedUp }
    }
    running.seen = Math.max(running.seen, missing)
    running.part = Math.min(1, 1 - (endsAtMs - nowMs) / windowMs)
    running.isUsedUp = isUsedUp
    keep(running.seen, windowMs, nowMs)
  }

  return {
    answered(sight, nowMs) {
      if (sight === null) {
        isExplained = false
        return
      }
      const missing = sight.used - sight.own
      isExplained = missing <= 0
      if (firstAtMs === Infinity) {
        firstAtMs = nowMs
        missingBefore = Math.max(0, missing)
      }
      if (sight.endsAtMs !== null) {
        lookAtFixed(missing, sight, sight.endsAtMs, nowMs)
        return
      }
      running = null
      const isWhole = nowMs - firstAtMs >= sight.windowMs * KEEP_WINDOWS
      const seen = isWhole ? missing : atPace(missing - missingBefore, sight.windowMs, nowMs)
      keep(seen + Math.ceil(Math.max(0, seen) * SLIDING_ROOM), sight.windowMs, nowMs)
    },
    calls: (nowMs) => (nowMs < keptUntilMs ? kept : 0),
    toCome(nowMs) {
      if (nowMs >= keptUntilMs) return 0
      return running === null ? Math.ceil(kept * SLIDING_ROOM) : Math.max(0, kept - running.seen)
    },
    isExplained: () => isExplained,
  }
}

/** What others wanted of a window that is over: we saw them until our own last call in it. */
function wantedIn(over: { seen: number; part: number; isUsedUp: boolean }): number {
  if (over.seen === 0) return 0
  // Nothing was left for another call of theirs, should there have been one.
  if (over.isUsedUp) return over.seen + 1
  return Math.ceil(over.seen / Math.max(over.part, LEAST_SEEN) - ROUNDING)
}
