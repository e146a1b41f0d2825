import { condition } from '@temporalio/workflow'
import type { StoreActivities } from '../activities/activity-types.ts'

export interface RhythmInput {
  runId: string
  /** Shortest time from the end of a publication to the next one. */
  everyMs: number
  /** Slices loaded so far. */
  loaded: () => number
  /** Whether the run is ending; `endRun` then makes the last publication, with the verdict. */
  isOver: () => boolean
}

/** Loads wait while a publication reads the store, so publications get a twentieth of the run's time. */
const PAUSE_PER_PUBLICATION = 19

/**
 * Publishes during a run, when slices have been loaded since the last publication. A failed publication is repeated at
 * the next interval and does not end the run, because a lasting fault also fails the last publication of the run.
 */
export async function publishInRhythm(
  store: Pick<StoreActivities, 'publishRun'>,
  { runId, everyMs, loaded, isOver }: RhythmInput,
): Promise<void> {
  let shown = loaded()
  let waitMs = everyMs
  while (!(await condition(isOver, waitMs))) {
    const now = loaded()
    if (now === shown) continue
    const startedMs = Date.now()
    try {
      await store.publishRun({ runId })
      shown = now
    } catch {
      // The last publication of the run reports a lasting fault.
    }
    waitMs = Math.max(everyMs, PAUSE_PER_PUBLICATION * (Date.now() - startedMs))
  }
}
