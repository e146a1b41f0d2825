import { condition } from '@temporalio/workflow'
import type { StoreActivities } from '../activities/activity-types.ts'

export interface RhythmInput {
  runId: string
  /** Shortest time from the end of a publication to the next one. */
  everyMs: number
  /** Slices loaded so far. */
  loadedCount: () => number
  /** Whether the run is ending: `endRun` then makes the last publication. */
  isOver: () => boolean
}

/** Loads wait during a publication. So publications get at most a twentieth of the run's time. */
const PAUSE_PER_PUBLICATION = 19

/**
 * Publishes during a run, if slices were loaded since the last publication. A failed publication does not end the run
 * and is repeated at the next interval.
 */
export async function publishInRhythm(
  store: Pick<StoreActivities, 'publishRun'>,
  { runId, everyMs, loadedCount, isOver }: RhythmInput,
): Promise<void> {
  let published = loadedCount()
  let waitMs = everyMs
  while (!(await condition(isOver, waitMs))) {
    const now = loadedCount()
    if (now === published) continue
    const startedMs = Date.now()
    try {
      await store.publishRun({ runId })
      published = now
    } catch {
      // A lasting fault also fails the run's last publication, and the run reports that.
    }
    waitMs = Math.max(everyMs, PAUSE_PER_PUBLICATION * (Date.now() - startedMs))
  }
}
