import type { Config } from '../../config/config.ts'
import { requireKeys } from '../../config/require-key.ts'
import type { Secret } from '../../config/values/secret.ts'
import { keyId } from '../../engine/queues.ts'

/** An API key with its id in budgets. */
export interface SourceKey {
  /** null = the service is asked without a key. */
  key: Secret | null
  keyId: string
}

/** @throws ConfigError CONFIG_NO_KEY */
export function sourceKeys(config: Config): SourceKey[] {
  return requireKeys(config).map((key) => ({ key, keyId: keyIdOf(config, key) }))
}

/** The ids of the present keys, for commands that fetch nothing. */
export function sourceKeyIds(config: Config): string[] {
  const { apiKeys } = config.source
  return apiKeys.length === 0 ? [keyIdOf(config, null)] : apiKeys.map((key) => keyIdOf(config, key))
}

function keyIdOf({ source }: Config, key: Secret | null): string {
  return keyId(key === null ? null : key.reveal(), source.baseUrl)
}
