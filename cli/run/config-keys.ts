import type { Config } from '../../config/config.ts'
import { requireKeys } from '../../config/require-key.ts'
import type { Secret } from '../../config/values/secret.ts'
import { keyId } from '../../engine/queues.ts'

/** A key of a configuration, with the name under which budgets know it. */
export interface ConfigKey {
  /** null = the service is asked without one. */
  key: Secret | null
  keyId: string
}

/**
 * The keys that a configuration fetches with.
 *
 * @throws ConfigError CONFIG_NO_KEY
 */
export function configKeys(config: Config): ConfigKey[] {
  return requireKeys(config).map((key) => ({ key, keyId: keyIdOf(config, key) }))
}

/** The ids of the keys for commands that only look: also when a named key is missing. */
export function configKeyIds(config: Config): string[] {
  const { apiKeys } = config.source
  return apiKeys.length === 0 ? [keyIdOf(config, null)] : apiKeys.map((key) => keyIdOf(config, key))
}

function keyIdOf({ source }: Config, key: Secret | null): string {
  return keyId(key === null ? null : key.reveal(), source.baseUrl)
}
