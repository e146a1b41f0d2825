import type { RunEvent } from '../../activities/run-events.ts'

/** Which runs a process works on now. A backfill and the windows of schedules go on beside each other. */
export interface OpenRuns {
  note(event: Pick<RunEvent, 'kind' | 'runId'>): void
  isAny(): boolean
}

/**
 * A run ended by force reports no end, and a run that is paused, or waits for its month, brings nothing: a run silent
 * for this long does not count as open.
 */
const SILENT_AFTER_MS = 15 * 60_000

/** A worker lives for years, and a run brings nothing long after its end. */
const KEPT = 100

/** @param nowMs a clock that never goes back */
export function openRuns(nowMs: () => number = () => performance.now()): OpenRuns {
  /** The time of each run's last event; null = it has ended. */
  const heard = new Map<string, number | null>()
  return {
    note({ kind, runId }) {
      if (runId === '') return
      const isEnd = kind === 'ended' || kind === 'broken'
      // A page in flight at the end of its run does not open the run again.
      if (!isEnd && heard.get(runId) === null) return
      heard.delete(runId)
      heard.set(runId, isEnd ? null : nowMs())
      const [oldest] = heard.keys()
      if (heard.size > KEPT && oldest !== undefined) heard.delete(oldest)
    },
    isAny() {
      const sinceMs = nowMs() - SILENT_AFTER_MS
      return [...heard.values()].some((atMs) => atMs !== null && atMs > sinceMs)
    },
  }
}
