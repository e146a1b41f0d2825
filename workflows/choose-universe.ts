import { condition } from '@temporalio/workflow'
import type { FetchActivities } from '../activities/activity-types.ts'
import { isStopping, type LiveRun } from './live-run.ts'

/** Clocks differ, so a wait may seem over already. This shortest wait prevents a tight loop. */
export const MIN_WAIT_MS = 1_000

/**
 * Reads the listing of a selector (`top:100`) until its pages are staged.
 *
 * @returns false when the run was stopped: the coins are then not chosen.
 * @throws the activity's failure.
 */
export async function chooseUniverse(
  fetching: FetchActivities,
  run: LiveRun,
  selector: string,
): Promise<boolean> {
  const { runId, mayUseReserve } = run
  const isStopped = (): boolean => isStopping(run)
  for (let tries = 0; ;) {
    await condition(() => !run.paused || isStopped())
    if (isStopped()) return false
    const result = await fetching.fetchUniverse({ runId, selector, tries, mayUseReserve })
    run.done.calls += result.calls
    run.fatal ??= result.fatal
    for (const key of result.lostKeys) run.lostKeys.set(key.keyId, key)
    if (result.isWhole) return !isStopped()
    tries = result.tries
    run.waitUntilMs = result.waitUntilMs
    const laterMs = Math.max(result.waitUntilMs, result.notBeforeMs)
    if (laterMs > 0) await condition(isStopped, Math.max(MIN_WAIT_MS, laterMs - Date.now()))
  }
}
