import { condition } from '@temporalio/workflow'
import type { RunFetches } from './activity-proxies.ts'
import type { LiveRun } from './messages.ts'

/** Clocks differ, so a demanded time may seem past; this wait prevents a tight loop. */
export const MIN_WAIT_MS = 1_000

/**
 * Reads the listing of a selector (`top:100`) until its coins are staged.
 *
 * @returns false when the run was stopped; the caller must then not fix the choice of coins.
 * @throws the activity's failure.
 */
export async function chooseUniverse(
  fetching: RunFetches,
  run: LiveRun,
  { runId, selector }: { runId: string; selector: string },
): Promise<boolean> {
  const isStopped = (): boolean => run.cancelled || run.fatal !== null
  for (let tries = 0; ;) {
    await condition(() => !run.paused || isStopped())
    if (isStopped()) return false
    const came = await fetching.fetchUniverse({ runId, selector, tries })
    run.done.calls += came.calls
    run.fatal ??= came.fatal
    for (const key of came.lostKeys) run.lostKeys.set(key.keyId, key)
    if (came.isWhole) return !isStopped()
    tries = came.tries
    run.waitUntilMs = came.waitUntilMs
    const laterMs = Math.max(came.waitUntilMs, came.notBeforeMs)
    if (laterMs > 0) await condition(isStopped, Math.max(MIN_WAIT_MS, laterMs - Date.now()))
  }
}
