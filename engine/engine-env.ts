import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The environment as the engine reads it; injected, so that tests have their own. */
export type Env = Record<string, string | undefined>

function nonEmptyValue(env: Env, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name]
}

/**
 * The folder of the user's own Temporal server: database, logs and leases. `COINLAKE_ENGINE_DIR`, else
 * `coinlake/temporal` in the XDG state folder.
 */
export function engineStateDir(env: Env): string {
  const own = nonEmptyValue(env, 'COINLAKE_ENGINE_DIR')
  if (own !== undefined) return resolve(own)
  const state =
    nonEmptyValue(env, 'XDG_STATE_HOME') ?? join(env['HOME'] ?? homedir(), '.local', 'state')
  return join(state, 'coinlake', 'temporal')
}

/**
 * Whether `TEMPORAL_*` and the user's own server are ignored (demo and tests): `COINLAKE_ENGINE_ISOLATED=1`, with a
 * folder in `COINLAKE_ENGINE_DIR`.
 */
export function isIsolated(env: Env): boolean {
  return env['COINLAKE_ENGINE_ISOLATED'] === '1' && env['COINLAKE_ENGINE_DIR'] !== undefined
}

/** The environment of the tools that coinlake runs: without its own settings, which may be secrets. */
export function toolEnv(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('COINLAKE_')))
}

/** The user's cache of binaries and workflow bundles. Deleting it loses only time. */
export function cacheDir(env: Env): string {
  const cache = nonEmptyValue(env, 'XDG_CACHE_HOME') ?? join(env['HOME'] ?? homedir(), '.cache')
  return join(cache, 'coinlake')
}

/**
 * After this time another worker takes the work over from a silent one: `COINLAKE_ENGINE_LOST_AFTER_MS`, else 10 s. This
 * limits the workflow tasks of a run; workflows/activity-proxies.ts derives all other limits for lost workers from it.
 */
export function lostAfterMs(env: Env): number {
  return positiveMs(env, 'COINLAKE_ENGINE_LOST_AFTER_MS') ?? 10_000
}

/**
 * The own server stays this long after its last lease: `COINLAKE_ENGINE_GRACE_MS`, else 10 s. The next command of a
 * person at work then still finds it running.
 */
export function serverGraceMs(env: Env): number {
  return positiveMs(env, 'COINLAKE_ENGINE_GRACE_MS') ?? 10_000
}

function positiveMs(env: Env, name: string): number | null {
  const valueMs = Number(env[name] ?? '')
  return Number.isFinite(valueMs) && valueMs > 0 ? valueMs : null
}
