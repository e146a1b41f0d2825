import type { Env } from './engine-dirs.ts'

/** After this time Temporal gives the workflow task of a silent worker to another worker. */
const DEFAULT_LOST_AFTER_MS = 10_000

/**
 * The time after which the work of a silent worker goes to another one: `COINLAKE_ENGINE_LOST_AFTER_MS`, else 10 s. This
 * time limits the workflow tasks of a run, and all other limits for lost workers follow from that limit
 * (workflows/activity-proxies.ts).
 */
export function lostAfterMs(env: Env): number {
  const value = Number(env['COINLAKE_ENGINE_LOST_AFTER_MS'] ?? '')
  return Number.isFinite(value) && value > 0 ? value : DEFAULT_LOST_AFTER_MS
}
