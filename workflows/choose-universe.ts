import { condition } from '@temporalio/workflow'
import type { FetchActivities } from '../activities/activity-types.ts'
import { MIN_WAIT_MS } from './fetch-slice.ts'

export interface ChoosingHooks {
  /** False while the run is paused. */
  mayGoOn: () => boolean
  isCancelled: () => boolean
  onCalls: (calls: number) => void
  /** Told when the source says wait. */
  onThrottled: (untilMs: number) => void
}

/**
 * Pages through the listing of a selector (`top:100`) until its coins are staged. Returns false when
 * the run was cancelled meanwhile: then nothing must be frozen.
 *
 * @throws the activity's failure.
 */
export async function chooseUniverse(
  fetching: FetchActivities,
  stageDir: string,
  selector: string,
  hooks: ChoosingHooks,
): Promise<boolean> {
  for (let page = 1; ;) {
    await condition(hooks.mayGoOn)
    if (hooks.isCancelled()) return false
    const result = await fetching.fetchUniverse({ stageDir, selector, page })
    hooks.onCalls(result.calls)
    if (result.kind === 'throttled') {
      hooks.onThrottled(result.throttledUntilMs)
      const waitMs = Math.max(MIN_WAIT_MS, result.throttledUntilMs - Date.now())
      await condition(hooks.isCancelled, waitMs)
    } else if (result.kind === 'page') {
      if (result.next === null) return !hooks.isCancelled()
      page = result.next.page
    }
  }
}
