import { isLoopbackHost, NO_SOURCE } from './base-url.ts'
import { ConfigError } from './config-error.ts'
import type { Config } from './config.ts'
import { keyRows } from './settings/source-settings.ts'
import type { Secret } from './values/secret.ts'

/**
 * The keys for a command that fetches. No key is needed ([null]) when the profile requires
 * none, or for a service on this machine.
 *
 * @throws ConfigError CONFIG_NO_KEY, also when one of several is missing
 */
export function requireKeys(config: Config): readonly (Secret | null)[] {
  const { apiKeys, keyMissing, profile, baseUrl } = config.source
  if (baseUrl === NO_SOURCE) {
    // `config.file` is `no coinlake.yaml` here.
    throw new ConfigError(`there is ${config.file}, so no source to ask`, {
      code: 'CONFIG_NO_BASE_URL',
      hint: 'Write a configuration with `coinlake init`, name one with -c, or set COINLAKE_BASE_URL.',
    })
  }
  if (apiKeys.length > 0 && keyMissing === null) return apiKeys
  const isOpen = keyMissing === null && isLoopbackHost(new URL(baseUrl).hostname)
  if (apiKeys.length === 0 && (!profile.isKeyRequired || isOpen)) return [null]
  const reason = keyMissing ?? 'source.api_key is not there'
  const settings = Object.values(keyRows).map(({ key }) => config.settings[`source.${key}`])
  const said = settings.find((one) => one !== undefined && one.origin !== 'default')
  const where = said?.origin ?? config.file
  const isPart = apiKeys.length > 0
  const what = isPart ? `one of ${apiKeys.length + 1} or more API keys is missing` : 'no API key'
  throw new ConfigError(`${what} for ${baseUrl}: ${reason} (${where})`, {
    code: 'CONFIG_NO_KEY',
    hint: isPart
      ? 'Set it, or take it out of the list. coinlake does not silently work with fewer keys.'
      : 'Set COINLAKE_API_KEY in the environment, or write the key into a file that source.api_key_file names.',
  })
}

/** A warning that a remote source is asked without its configured key; null = no warning. */
export function missingKeyWarning({ source }: Pick<Config, 'source'>): string | null {
  const { apiKeys, keyMissing, profile, baseUrl } = source
  const isLocal = isLoopbackHost(new URL(baseUrl).hostname)
  if (apiKeys.length > 0 || keyMissing === null || profile.isKeyRequired || isLocal) return null
  return `${keyMissing}: ${baseUrl} is asked without a key, and allows fewer calls then`
}
