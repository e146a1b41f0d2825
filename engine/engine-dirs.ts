import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The environment as the engine reads it; injected, so that tests have their own. */
export type Env = Record<string, string | undefined>

function firstSet(env: Env, name: string): string | undefined {
  const value = env[name]
  return value === undefined || value === '' ? undefined : value
}

/**
 * The folder with the database, logs and leases of the user's own Temporal server: `COINLAKE_ENGINE_DIR`, else
 * `coinlake/temporal` in the XDG state folder. Each folder has one server.
 */
export function engineStateDir(env: Env): string {
  const own = firstSet(env, 'COINLAKE_ENGINE_DIR')
  if (own !== undefined) return resolve(own)
  const state = firstSet(env, 'XDG_STATE_HOME') ?? join(env['HOME'] ?? homedir(), '.local', 'state')
  return join(state, 'coinlake', 'temporal')
}

/** The user's cache of binaries and workflow bundles, which can always be made or fetched again. */
export function cacheDir(env: Env): string {
  const cache = firstSet(env, 'XDG_CACHE_HOME') ?? join(env['HOME'] ?? homedir(), '.cache')
  return join(cache, 'coinlake')
}
