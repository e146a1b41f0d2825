import { isLoopbackHost } from './base-url.ts'
import { ConfigError } from './config-error.ts'
import type { Config } from './config.ts'
import type { Secret } from './secret.ts'

/**
 * The key for a command that is about to fetch; null where the source can be asked without one: a
 * profile that needs none, or a service on this machine for which the config names no key at all.
 *
 * @throws ConfigError CONFIG_NO_KEY
 */
export function requireKey(config: Config): Secret | null {
  const { apiKey, keyMissing, profile, baseUrl } = config.source
  if (apiKey !== null) return apiKey
  const isOpen = keyMissing === null && isLoopbackHost(new URL(baseUrl).hostname)
  if (!profile.isKeyRequired || isOpen) return null
  const reason = keyMissing ?? 'source.api_key is not there'
  const origins = ['source.api_key', 'source.api_key_file'].map(
    (key) => config.settings[key]?.origin,
  )
  const where =
    origins.find((origin) => origin !== undefined && origin !== 'default') ?? config.file
  throw new ConfigError(`no API key for ${baseUrl}: ${reason} (${where})`, {
    code: 'CONFIG_NO_KEY',
    hint: 'Set COINLAKE_API_KEY in the environment, or name a file with source.api_key_file.',
  })
}
