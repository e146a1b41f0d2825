import type { Env } from './engine-dirs.ts'

/** Temporal gives a workflow task of a silent worker to another one after this. */
const DEFAULT_LOST_AFTER_MS = 10_000

/**
 * How long the worker of a run may be silent before its work goes to another one, in milliseconds:
 * `COINLAKE_ENGINE_LOST_AFTER_MS`, else 10 s. A run is begun with it as the time limit of its workflow
 * tasks, and all its other limits for lost workers follow from that one (workflows/activity-proxies.ts).
 */
export function lostAfterMs(env: Env): number {
  const value = Number(env['COINLAKE_ENGINE_LOST_AFTER_MS'] ?? '')
  return Number.isFinite(value) && value > 0 ? value : DEFAULT_LOST_AFTER_MS
}
