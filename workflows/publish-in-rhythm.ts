import { condition } from '@temporalio/workflow'
import type { LoadActivities } from '../activities/activity-types.ts'

export interface RhythmInput {
  runId: string
  /** At least so long from the end of one publication to the next. */
  everyMs: number
  /** How many slices are loaded by now. */
  loaded: () => number
  /** The last publication of a run comes with its verdict, and not from here. */
  isOver: () => boolean
}

/** Loads wait while the store is read for a publication: it may take a twentieth of the run. */
const PAUSE_PER_PUBLICATION = 19

/**
 * Shows readers what a run has loaded while it goes on, where there is anything new. One that fails is
 * tried again in the same rhythm and ends nothing: what is wrong for good fails the last one too, which
 * tells of it.
 */
export async function publishInRhythm(
  loading: Pick<LoadActivities, 'publishRun'>,
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
      // Told by the last one.
    }
    waitMs = Math.max(everyMs, PAUSE_PER_PUBLICATION * (Date.now() - startedMs))
  }
}
