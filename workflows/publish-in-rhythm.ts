import { condition } from '@temporalio/workflow'
import type { StoreActivities } from '../activities/activity-types.ts'

export interface RhythmInput {
  runId: string
  /** Shortest time from the end of a publication to the next one. */
  everyMs: number
  /** Slices loaded so far. */
  loaded: () => number
  /** Whether the run is ending; its last publication comes from `endRun`, with the verdict. */
  isOver: () => boolean
}

/** Loads wait while a publication reads the store, so publications get a twentieth of the run's time. */
const PAUSE_PER_PUBLICATION = 19

/**
 * Publishes during a run, when slices have been loaded since. A failed publication is repeated at the next interval
 * and does not end the run: a lasting fault also fails the last publication, which reports it.
 */
export async function publishInRhythm(
  loading: Pick<StoreActivities, 'publishRun'>,
  { runId, everyMs, loaded, isOver }: RhythmInput,
): Promise<void> {
  let shown = loaded()
  let waitMs = everyMs
  while (!(await condition(isOver, waitMs))) {
    const now = loaded()
    if (now === shown) continue
    const startedMs = Date.now()
    try {
      await loading.publishRun({ runId })
      shown = now
    } catch {
      // The last publication reports a lasting fault.
    }
    waitMs = Math.max(everyMs, PAUSE_PER_PUBLICATION * (Date.now() - startedMs))
  }
}
