import type { RunEvent } from '../../activities/run-events.ts'

/** The runs that a process works on now. A backfill and windows of schedules go on side by side. */
export interface RunTracker {
  note(event: Pick<RunEvent, 'kind' | 'runId'>): void
  hasOpenRun(): boolean
}

/** A run silent for longer counts as over, because a run ended by force reports no end. */
const SILENT_AFTER_MS = 15 * 60_000

/** The number of runs that are remembered, because a worker lives for years. */
const KEPT = 100

/** @param nowMs a clock that never goes back */
export function createRunTracker(nowMs: () => number = () => performance.now()): RunTracker {
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
    hasOpenRun() {
      const sinceMs = nowMs() - SILENT_AFTER_MS
      return [...heard.values()].some((atMs) => atMs !== null && atMs > sinceMs)
    },
  }
}
